import { describe, expect, test } from "bun:test";
import { modules } from "../../../src/modules/index.ts";
import { verifySamples } from "../../../src/modules/kernel/module-faults.ts";
import type { SampleName, SampleScene } from "../../../src/modules/kernel/sample.ts";
import {
  loadSamples,
  type SampleHost,
  SampleMaker,
  type SampleRequest,
} from "../../../src/modules/kernel/sample-maker.ts";
import { bookmarksModule } from "../../support/fixtures/bookmarks.ts";

/** A server that takes every call, and answers it with a new id. */
function tryOn(samples: Parameters<typeof loadSamples>[0][number]["samples"]) {
  const sent: { readonly by: string; readonly request: SampleRequest }[] = [];
  const place = { visibility: "private", groupId: 7, groupPath: "g", projectId: 8, projectPath: "g/p" } as const;
  let count = 100;
  const host: SampleHost = {
    ...{ caller: { id: 1, username: "root" }, user: { id: 2, username: "ann" }, place, known: new Map() },
    fresh: () => "new",
    async send(request, by) {
      sent.push({ by, request });
      count += 1;
      const isRefused = by === "caller" && request.path.endsWith("refused");
      return { status: isRefused ? 403 : 201, text: JSON.stringify({ id: count, iid: count + 1000 }) };
    },
  };
  const manifest = { ...bookmarksModule, ...(samples === undefined ? {} : { samples }) };
  const prepare = async (name: SampleName) =>
    new SampleMaker(await loadSamples([...modules, manifest]), host).prepare(name);
  return { sent, prepare };
}

const path = "/projects/:id/bookmarks";

describe("the call of a sample", () => {
  test("is about the project of all samples, and what the sample of POST makes", async () => {
    const { prepare, sent } = tryOn(bookmarksModule.samples);
    expect(await prepare(`PUT ${path}/:bookmark_id`)).toMatchObject({
      method: "PUT",
      path: "/projects/8/bookmarks/101",
    });
    expect(sent).toMatchObject([{ by: "root", request: { method: "POST", path: "/projects/8/bookmarks" } }]);
    expect((await prepare("GET /projects/:id/issues/:issue_iid")).path).toBe("/projects/8/issues/1102");
  });

  test("is about a new project where it would spoil the one of all samples", async () => {
    const { prepare, sent } = tryOn(async () => ({ [`GET ${path}`]: { isOnNew: true } }));
    expect((await prepare(`GET ${path}`)).path).toBe("/projects/101/bookmarks");
    expect(sent[0]?.request).toMatchObject({ path: "/projects", json: { namespace_id: 7, visibility: "private" } });
  });

  test("follows those that it names, with the same values", async () => {
    const { prepare, sent } = tryOn(async () => ({
      [`DELETE ${path}/:bookmark_id`]: { after: [`PUT ${path}/:bookmark_id`] },
    }));
    await prepare(`DELETE ${path}/:bookmark_id`);
    expect(sent.map(({ request }) => request.path)).toEqual(["/projects/8/bookmarks", "/projects/8/bookmarks/101"]);
  });

  test("finds something of the caller's, or of root's where the caller may not make it", async () => {
    const { prepare, sent } = tryOn(async () => ({
      [`POST ${path}`]: { isMadeByCaller: true },
      [`GET ${path}/:bookmark_id`]: ({ call }: SampleScene) =>
        call(`POST ${path}`, { address: "/refused" }).then(() => ({})),
    }));
    await prepare(`GET ${path}/:bookmark_id`);
    expect(sent.map(({ by }) => by)).toEqual(["caller", "root", "caller"]);
  });
});

test("a sample of no operation is refused with the name of its module", async () => {
  const { prepare } = tryOn(async () => ({ "GET /nothing": {} }));
  await expect(prepare(`GET ${path}`)).rejects.toThrow(
    "the module bookmarks has a sample of GET /nothing, which is no operation",
  );
});

test("every operation has a sample", async () => {
  await verifySamples([...modules, bookmarksModule]);
  await expect(verifySamples([{ ...bookmarksModule, samples: async () => ({}) }])).rejects.toThrow(
    `the module bookmarks has no sample of POST ${path}: it needs title`,
  );
});
