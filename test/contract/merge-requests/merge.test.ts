import { expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { mergeRequestScene } from "./scene.ts";

const { world, places, dora, owner, stranger, at, commit, create } = await mergeRequestScene();

const merge = (iid: number, json: object = {}, token = owner.token) =>
  world.call("PUT", `${at}/merge_requests/${iid}/merge`, { token, json });
const mainCommit = async () => (await world.get(`${at}/repository/commits/main`)).body;
const fileOn = async (branch: string, path: string) =>
  (await world.get(`${at}/repository/files/${encodeURIComponent(path)}/raw?ref=${branch}`)).status;
const set = (json: object) => world.call("PUT", at, { token: owner.token, json });

test("a merge commit has both branches as parents, the default message, and the merging user", async () => {
  const before = await mainCommit();
  const { iid, sha, source_branch } = await create();
  const { status, body } = await merge(iid, { should_remove_source_branch: true });
  expect(status).toBe(200);
  const head = await mainCommit();
  expect(head).toMatchObject({
    ...{ parent_ids: [before.id, sha], author_name: "olga", committer_name: "olga" },
    message: `Merge branch '${source_branch}' into 'main'\n\nMend the roof\n\nSee merge request cars/van!${iid}`,
  });
  expect(body).toMatchObject({
    ...{ state: "merged", merge_commit_sha: head.id, squash_commit_sha: null, merged_at: world.clock.time() },
    ...{ merge_user: { id: owner.id }, should_remove_source_branch: true, detailed_merge_status: "not_open" },
  });
  expect(await fileOn("main", `${source_branch}.txt`)).toBe(200);
  expect((await world.get(`${at}/repository/branches/${source_branch}`)).status).toBe(404);
  await world.jobsDone();
  const notes = (await world.get(`${at}/merge_requests/${iid}/notes`)).body.map(({ body: text }: Json) => text);
  expect(notes).toEqual(["merged"]);
  expect((await merge(iid)).status).toBe(405);
});

test("a squash is one commit of the author, and then merged", async () => {
  const { iid, source_branch } = await create();
  await commit(source_branch, "second.txt");
  await world.jobsDone();
  await commit("main", "meanwhile.txt");
  const before = await mainCommit();
  const { body } = await merge(iid, {
    squash: true,
    squash_commit_message: "All of it",
    merge_commit_message: "Take it",
  });
  const head = await mainCommit();
  expect(head).toMatchObject({ message: "Take it", parent_ids: [before.id, body.squash_commit_sha] });
  const squashed = (await world.get(`${at}/repository/commits/${body.squash_commit_sha}`)).body;
  expect(squashed).toMatchObject({ message: "All of it", author_name: "dora", committer_name: "olga" });
  expect(squashed.parent_ids).toEqual([body.diff_refs.start_sha]);
  for (const path of ["second.txt", "meanwhile.txt"]) expect(await fileOn("main", path)).toBe(200);
});

test("a fast forward moves the branch, with a squash to one commit; a template says the message", async () => {
  await set({ merge_method: "ff", squash_commit_template: "%{title} (%{reference})\n%{description}\nby %{url}" });
  const one = await create();
  expect((await merge(one.iid)).body).toMatchObject({ merge_commit_sha: null, squash_commit_sha: null });
  expect((await mainCommit()).id).toBe(one.sha);
  const other = await create();
  await commit("main", "ahead.txt");
  const before = await mainCommit();
  expect((await merge(other.iid)).status).toBe(405);
  await set({ squash_option: "always" });
  const { body } = await merge(other.iid);
  expect(await mainCommit()).toMatchObject({
    ...{ id: body.squash_commit_sha, parent_ids: [before.id] },
    message: `Mend the roof (cars/van!${other.iid})\nby ${world.origin}/cars/van/-/merge_requests/${other.iid}`,
  });
  await set({ merge_method: "merge", squash_option: "default_off", squash_commit_template: "" });
});

test("those who may not merge get 401, another commit 409, and what fails a check 405", async () => {
  const { iid, sha, source_branch } = await create();
  for (const { token } of [dora, stranger]) expect((await merge(iid, {}, token)).status).toBe(401);
  const refused = await merge(iid, { sha: "0".repeat(40) });
  expect([refused.status, refused.body]).toEqual([
    409,
    { message: `SHA does not match HEAD of source branch: ${sha}` },
  ]);
  await world.call("PUT", `${at}/merge_requests/${iid}`, { token: dora.token, json: { title: "Draft: t" } });
  expect(await merge(iid)).toMatchObject({ status: 405, body: { message: "405 Method Not Allowed" } });
  await world.call("PUT", `${at}/merge_requests/${iid}`, { token: dora.token, json: { title: "t" } });
  const write = (branch: string, content: string) =>
    world.call("PUT", `${at}/repository/files/README.md`, {
      ...{ token: owner.token, json: { branch, content, commit_message: "Change" } },
    });
  await write(source_branch, "one\n");
  await write("main", "other\n");
  await world.jobsDone();
  expect((await merge(iid)).status).toBe(405);
  const guest = await world.user();
  const hidden = places.project(places.group({ visibility: "private" }).id);
  places.member(hidden, guest.id, accessLevels.guest);
  const path = `/projects/${hidden.id}/merge_requests/1/merge`;
  expect((await world.call("PUT", path, { token: guest.token })).status).toBe(404);
});
