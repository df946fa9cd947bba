import { expect, test } from "bun:test";
import { enqueueJob } from "../../../../src/modules/core/background-jobs/index.ts";
import { type UserRecord, users } from "../../../../src/modules/core/users/records.ts";
import { type ProjectRecord, projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { mergedBranchesDeletion } from "../../../../src/modules/repositories/repositories/refs/service-merged-branches.ts";
import type { Transaction } from "../../../../src/store/index.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { checkRepository, filesOf, folderOf, git, makeProject } from "./setting.ts";

const world = await startWorld();
const dev = await world.user();

/** A project whose `main` has gone on since `merged` and `kept/old` were made, but not since `fresh`; `open` has a commit of its own. */
async function project() {
  const { id } = await makeProject(world, { visibility: "public", initialize_with_readme: true });
  addMember(world, { id }, dev, "developer", "project");
  const at = `/projects/${id}`;
  const root = (method: string, end: string, json?: object) =>
    world.call(method, `${at}${end}`, { token: rootToken, ...(json === undefined ? {} : { json }) });
  const branch = (name: string) => root("POST", "/repository/branches", { branch: name, ref: "main" });
  const { create } = filesOf(world, id, rootToken);
  for (const name of ["merged", "kept/old", "open"]) await branch(name);
  await create("a.txt", { branch: "open" });
  await create("b.txt");
  await branch("fresh");
  await root("POST", "/protected_branches", { name: "kept/*" });
  const names = async () => (await root("GET", "/repository/branches")).body.map(({ name }: { name: string }) => name);
  const remove = (token: string | undefined = dev.token) =>
    world.call("DELETE", `${at}/repository/merged_branches`, { token });
  return { id, at, root, names, remove, create };
}

test("deletes what the default branch contains, but for protected branches and those at its head", async () => {
  const { id, names, remove } = await project();
  const { status, body } = await remove();
  expect([status, body]).toEqual([202, { message: "202 Accepted" }]);
  await world.jobsDone();
  expect(await names()).toEqual(["fresh", "kept/old", "main", "open"]);
  await checkRepository(world, id);
});

test("agrees with git about what is merged, through merges, too", async () => {
  const { id, root, names, remove, create } = await project();
  await root("POST", "/repository/branches", { branch: "side", ref: "open" });
  await create("c.txt", { branch: "side" });
  const place = { kind: "project", id, storage: "default" } as const;
  await world.context.repositories.write(
    place,
    () => place,
    async (writer) => {
      const [main, side] = [await writer.resolve("main"), await writer.resolve("side")];
      if (main === undefined || side === undefined) throw new Error("no commits");
      const { tree, committer } = side;
      const merge = { message: "Merge", tree, parents: [main.oid, side.oid], author: committer, committer };
      const oid = await writer.writeCommit(merge);
      await writer.save();
      await writer.update("refs/heads/main", oid, undefined);
    },
  );
  const args = ["-C", folderOf(world, id), "branch", "--merged", "main", "--format=%(refname:short)"];
  const merged = (await git(args)).trim().split("\n");
  expect(merged).toEqual(["fresh", "kept/old", "main", "merged", "open", "side"]);
  await remove();
  await world.jobsDone();
  expect(await names()).toEqual(["kept/old", "main"]);
});

test("is for developers up, in projects that are not archived", async () => {
  const { at, names, remove } = await project();
  const guest = await world.user();
  expect((await remove(guest.token)).status).toBe(403);
  expect((await world.call("DELETE", `${at}/repository/merged_branches`)).status).toBe(401);
  await world.call("POST", `${at}/archive`, { token: rootToken });
  expect((await remove()).status).toBe(403);
  await world.jobsDone();
  expect(await names()).toEqual(["fresh", "kept/old", "main", "merged", "open"]);
});

test("is not found where the project has no repository for anyone", async () => {
  const { root, remove } = await project();
  await root("PUT", "", { repository_access_level: "disabled" });
  const { status, body } = await remove();
  expect([status, body]).toEqual([404, { message: "404 Repository Not Found" }]);
});

test.each([
  [
    "the project was archived",
    (tx: Transaction, projectId: number) => {
      const project = world.store.of(projects).get(projectId) as ProjectRecord;
      tx.update(projects, { ...project, archived: true });
    },
  ],
  [
    "the user was blocked",
    (tx: Transaction) => {
      tx.update(users, { ...(world.store.of(users).get(dev.id) as UserRecord), state: "blocked" });
    },
  ],
] as const)("deletes nothing when %s before the job began", async (_name, change) => {
  const { id, names } = await project();
  world.store.transact((tx) => {
    const payload = { project_id: id, user_id: dev.id };
    enqueueJob(tx, world.context, { kind: mergedBranchesDeletion.kind, payload, user_id: dev.id });
    change(tx, id);
  });
  await world.jobsDone();
  expect(await names()).toContain("merged");
});
