import { describe, expect, test } from "bun:test";
import { linkSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../../src/domain/failure.ts";
import { packetLine } from "../../../../src/git/index.ts";
import { crowdedPacksMax } from "../../../../src/git/repack-due.ts";
import { subscribe } from "../../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../../src/modules/kernel/module.ts";
import { type Push, refPushed } from "../../../../src/modules/repositories/repositories/index.ts";
import { type Json, rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";
import { packOf, rawOid, treeOf, whole } from "../../../support/git/raw-packs.ts";
import { sendRaw } from "../../../support/process/raw-http.ts";
import { folderOf, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const noOid = "0".repeat(40);
const person = "Ann <ann@example.com> 1700000000 +0000";

/** Pushes a pack whose object at `oid` gets a new ref. */
function push(world: World, project: Json, ref: string, oid: string, pack: Buffer, token = rootToken) {
  return sendRaw(world.origin, {
    method: "POST",
    target: `/${project.path_with_namespace}.git/git-receive-pack`,
    headers: { "Content-Type": "application/x-git-receive-pack-request", "PRIVATE-TOKEN": token },
    body: Buffer.concat([packetLine(`${noOid} ${oid} ${ref}\0 report-status`), Buffer.from("0000"), pack]),
  });
}

function pushBlob(world: World, project: Json, ref: string, content: Buffer, token?: string) {
  return push(world, project, ref, rawOid("blob", content).toString("hex"), packOf([whole("blob", content)]), token);
}

function pushCommit(world: World, project: Json, ref: string) {
  const text = Buffer.from("text\n");
  const tree = treeOf([["100644", "a", rawOid("blob", text)]]);
  const commit = `tree ${rawOid("tree", tree).toString("hex")}\nauthor ${person}\ncommitter ${person}\n\nwhy\n`;
  const pack = packOf([whole("blob", text), whole("tree", tree), whole("commit", commit)]);
  return push(world, project, ref, rawOid("commit", Buffer.from(commit)).toString("hex"), pack);
}

const packFolder = (world: World, project: Json) => join(folderOf(world, project.id), "objects/pack");
const packsOf = (world: World, project: Json) =>
  readdirSync(packFolder(world, project)).filter((name) => name.endsWith(".idx"));
const sizeOf = async (world: World, { id }: Json) =>
  (await world.get(`/projects/${id}?statistics=true`)).body.statistics.repository_size as number;

describe("the packs of pushes", () => {
  test("are joined, whichever refs they are for", async () => {
    const world = await startWorld();
    const project = await makeProject(world);
    for (let at = 0; at < 22; at += 1) {
      const { body } = await pushBlob(world, project, `refs/x/p${at}`, Buffer.from(`file ${at}`));
      expect(body).toContain("ok refs/x/p");
    }
    await world.jobsDone();
    expect(packsOf(world, project).length).toBeLessThan(4);
  });

  test("are joined before more are taken, where there are too many", async () => {
    const world = await startWorld();
    const project = await makeProject(world);
    await pushBlob(world, project, "refs/x/first", Buffer.from("first"));
    const [name = ""] = packsOf(world, project);
    for (let at = 1; at < crowdedPacksMax; at += 1) {
      for (const ending of ["pack", "idx"]) {
        const from = join(packFolder(world, project), name.replace("idx", ending));
        linkSync(from, join(packFolder(world, project), `pack-${at}.${ending}`));
      }
    }
    const refused = await pushBlob(world, project, "refs/x/second", Buffer.from("second"));
    expect(refused.status).toBe(503);
    expect(refused.body).toContain("too many packs");
    expect(refused.headers.get("retry-after")).toBe("60");
    await world.jobsDone();
    const taken = await pushBlob(world, project, "refs/x/second", Buffer.from("second"));
    expect(taken.body).toContain("ok refs/x/second");
  });

  test("count for the project, although the refs are refused after that", async () => {
    let isRefused = true;
    const subscriber = subscribe<Push, undefined>(refPushed, {
      prepare: async () => {
        if (isRefused) throw new Failure("no_room", { message: "no room in the test" });
        return undefined;
      },
      run: () => {},
    });
    const world = await startWorld({}, {}, [defineModule({ name: "subscriber", on: [subscriber] })]);
    const project = await makeProject(world);
    expect((await pushCommit(world, project, "refs/heads/main")).body).toContain("ng refs/heads/main");
    const size = await sizeOf(world, project);
    expect(size).toBeGreaterThan(100);
    isRefused = false;
    expect((await pushCommit(world, project, "refs/heads/main")).body).toContain("ok refs/heads/main");
    expect(await sizeOf(world, project)).toBe(size);
  });

  test("count for what their user may write in an hour", async () => {
    const world = await startWorld({ userWriteQuotaMb: 1 });
    const project = await makeProject(world);
    const person = await world.user();
    addMember(world, project, person, "developer", "project");
    const parts = Array.from({ length: 17 * 16 }, () => crypto.getRandomValues(new Uint8Array(65_536)));
    const large = await pushBlob(world, project, "refs/x/large", Buffer.concat(parts), person.token);
    expect(large.body).toContain("ok refs/x/large");
    expect((await pushBlob(world, project, "refs/x/small", Buffer.from("small"), person.token)).status).toBe(429);
  });
});
