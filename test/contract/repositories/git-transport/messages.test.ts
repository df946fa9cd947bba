import { describe, expect, test } from "bun:test";
import { packetLine } from "../../../../src/git/index.ts";
import { receive } from "../../../../src/git/work/receive.ts";
import { type PipelineRecord, pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { packOf, rawOid, treeOf, whole } from "../../../support/git/raw-packs.ts";
import { sendRaw } from "../../../support/process/raw-http.ts";
import { folderOf, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const noOid = "0".repeat(40);
const person = "Ann <ann@example.com> 1700000000 +0000";
const mebibyte = 1 << 20;

const file = Buffer.from("job:\n  script: echo\n");
const tree = treeOf([["100644", ".gitlab-ci.yml", rawOid("blob", file)]]);
const commitOf = (message: string, more = "", by = person) =>
  `tree ${rawOid("tree", tree).toString("hex")}\n${more}author ${by}\ncommitter ${by}\n\n${message}`;
const idOf = (type: "commit" | "tag", content: string) => rawOid(type, Buffer.from(content)).toString("hex");
const tagOf = (commit: string, message: string) =>
  `object ${idOf("commit", commit)}\ntype commit\ntag v1\ntagger ${person}\n\n${message}`;

const world = await startWorld();

async function push(project: Json, refs: Readonly<Record<string, string>>, entries: readonly Buffer[]) {
  const lines = Object.entries(refs).map(([ref, oid], at) =>
    packetLine(`${noOid} ${oid} ${ref}${at === 0 ? "\0 report-status" : ""}`),
  );
  const { body } = await sendRaw(world.origin, {
    method: "POST",
    target: `/${project.path_with_namespace}.git/git-receive-pack`,
    headers: { "Content-Type": "application/x-git-receive-pack-request", "PRIVATE-TOKEN": rootToken },
    body: Buffer.concat([...lines, Buffer.from("0000"), packOf(entries)]),
  });
  return body;
}

describe("a push of long messages", () => {
  test("keeps of each what variables have of it, and shows the title", async () => {
    const project = await makeProject(world);
    const commit = commitOf(`${"title".repeat(1_000)}\n${"m".repeat(mebibyte)}`);
    const tag = tagOf(commit, "\u0001".repeat(mebibyte));
    const refs = { "refs/heads/main": idOf("commit", commit), "refs/tags/v1": idOf("tag", tag) };
    const said = await push(project, refs, [
      whole("blob", file),
      whole("tree", tree),
      whole("commit", commit),
      whole("tag", tag),
    ]);
    for (const ref of Object.keys(refs)) expect(said).toContain(`ok ${ref}`);
    const records = world.store.of(pipelines);
    const made = [...records.by.project_id.find(project.id)].map((id) => records.get(id) as PipelineRecord);
    expect(made).toHaveLength(2);
    for (const { commit: kept, tag_message = "" } of made) {
      expect(kept.message).toHaveLength(100_001);
      expect(tag_message.length).toBeLessThan(100_002);
    }
    const cut = `${"title".repeat(200)}\n\n--commit message is too big`;
    const { body: branch } = await world.get(`/projects/${project.id}/repository/branches/main`);
    expect(branch.commit.message).toBe(cut);
    const { body: shown } = await world.get(`/projects/${project.id}/repository/tags/v1`);
    expect(shown.message).toEndWith("--commit message is too big");
    expect(shown.message.length).toBeLessThan(1_100);
  });

  test("takes none of them out of the thread that checks it", async () => {
    const project = await makeProject(world);
    const commit = commitOf("m".repeat(mebibyte));
    const entries = [whole("blob", file), whole("tree", tree), whole("commit", commit)];
    expect(await push(project, { "refs/heads/main": idOf("commit", commit) }, entries)).toContain("ok refs/heads");
    const commands = Array.from({ length: 100 }, (_, at) => ({
      ref: `refs/heads/b${at}`,
      before: noOid,
      after: idOf("commit", commit),
    }));
    const order = {
      folder: folderOf(world, project.id),
      pack: undefined,
      commands,
      defaultBranch: undefined,
      protectedRefs: [],
    };
    const received = await receive({ ...order, limits: { objectsMax: 10, objectBytesMax: 10 } });
    expect(JSON.stringify(received).length).toBeLessThan(100 * 1_000);
  });

  test("is refused where the server could not read one", async () => {
    const project = await makeProject(world);
    const large = commitOf("m".repeat(5 * mebibyte));
    const parents = Array.from({ length: 1_001 }, () => `parent ${idOf("commit", commitOf("root"))}\n`).join("");
    const wide = commitOf("wide", parents);
    const root = commitOf("root");
    for (const [content, reason] of [
      [large, `commit of ${large.length} bytes is too large`],
      [wide, "commit of 1001 parents is too large"],
    ] as const) {
      const entries = [whole("blob", file), whole("tree", tree), whole("commit", root), whole("commit", content)];
      expect(await push(project, { "refs/heads/a": idOf("commit", content) }, entries)).toContain(`unpack ${reason}`);
    }
    const named = commitOf("named", "", `${"n".repeat(mebibyte)} <ann@example.com> 1700000000 +0000`);
    const entries = [whole("blob", file), whole("tree", tree), whole("commit", named)];
    expect(await push(project, { "refs/heads/main": idOf("commit", named) }, entries)).toContain("ok refs/heads/main");
    const { body } = await world.get(`/projects/${project.id}/repository/branches/main`);
    expect(body.commit.author_name).toBe("n".repeat(1_000));
  });
});
