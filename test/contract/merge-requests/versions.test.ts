import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Json } from "../../support/fixtures/world.ts";
import { runGit } from "../../support/git/stock-git.ts";
import { mergeRequestScene } from "./scene.ts";

const { world, dora, owner, at, commit, create } = await mergeRequestScene();
const folder = mkdtempSync(`${tmpdir()}/merge-request-versions-`);
afterAll(() => rmSync(folder, { recursive: true }));

const get = async (iid: number, path = "") => (await world.get(`${at}/merge_requests/${iid}${path}`)).body;
const notesOn = async (iid: number): Promise<string[]> =>
  (await get(iid, "/notes?sort=asc")).map(({ body }: Json) => body);

const address = `http://olga:${owner.token}@${new URL(world.origin).host}/cars/van.git`;

/** Runs git beside the server, which is in this process. */
async function runRemote(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(["git", "-C", folder, ...args], { stdout: "ignore", stderr: "pipe" });
  const [exitCode, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (exitCode !== 0) throw new Error(stderr);
}

/** A clone in which git has fetched all refs. */
async function fetched(): Promise<string> {
  runGit(folder, ["init", "-q"]);
  await runRemote("fetch", "-q", "--prune", "--no-tags", address, "+refs/*:refs/fetched/*");
  return folder;
}

describe("a push to the source branch", () => {
  test("makes a version, moves the ref that git fetches, and leaves a note", async () => {
    const { iid, source_branch, sha, diff_refs } = await create();
    const head = await commit(source_branch, "second.txt");
    await world.jobsDone();
    expect(await get(iid)).toMatchObject({
      ...{ sha: head, changes_count: "2", diff_refs: { ...diff_refs, head_sha: head } },
    });
    const versions = await get(iid, "/versions");
    expect(versions.map(({ head_commit_sha }: Json) => head_commit_sha)).toEqual([head, sha]);
    expect(versions[1]).toEqual({
      ...{ id: expect.any(Number), head_commit_sha: sha, base_commit_sha: diff_refs.base_sha },
      ...{ start_commit_sha: diff_refs.start_sha, created_at: expect.any(String) },
      ...{ merge_request_id: expect.any(Number), state: "collected", real_size: "1", patch_id_sha: null },
    });
    expect(runGit(await fetched(), ["rev-parse", `refs/fetched/merge-requests/${iid}/head`]).trim()).toBe(head);
    expect(await notesOn(iid)).toEqual([`added 1 commit\n\n<ul><li>${head.slice(0, 8)} - Add second.txt</li></ul>`]);
    const whole = await get(iid, `/versions/${versions[1].id}`);
    expect(whole.commits.map(({ id }: Json) => id)).toEqual([sha]);
    expect(whole.diffs).toMatchObject([{ new_path: `${source_branch}.txt`, new_file: true }]);
    expect(await world.get(`${at}/merge_requests/${iid}/versions/4711`)).toMatchObject({ status: 404 });
  });

  test("says nothing of the pushes to others, and none of a closed one", async () => {
    const one = await create();
    await world.call("PUT", `${at}/merge_requests/${one.iid}`, { token: dora.token, json: { state_event: "close" } });
    await commit(one.source_branch, "late.txt");
    await world.jobsDone();
    expect((await get(one.iid)).sha).toBe(one.sha);
  });
});

test("a source branch that goes closes the merge request; its commits stay", async () => {
  const { iid, source_branch, sha } = await create();
  await world.call("DELETE", `${at}/repository/branches/${source_branch}`, { token: owner.token });
  await world.jobsDone();
  expect(await get(iid)).toMatchObject({ state: "closed", closed_by: { id: owner.id } });
  expect(runGit(await fetched(), ["rev-parse", `refs/fetched/merge-requests/${iid}/head`]).trim()).toBe(sha);
  expect((await get(iid, "/commits")).map(({ id }: Json) => id)).toEqual([sha]);
});

test("a target branch that gets the commits marks the merge request as merged, one without commits stays open", async () => {
  const { iid, sha } = await create();
  await world.call("POST", `${at}/repository/branches`, { token: owner.token, json: { branch: "idle", ref: "main" } });
  const idle = await create({ source_branch: "idle" });
  const clone = await fetched();
  runGit(clone, ["checkout", "-q", "-B", "main", "refs/fetched/heads/main"]);
  runGit(clone, ["merge", "-q", "--no-ff", "-m", "Merge", sha]);
  await runRemote("push", "-q", address, "main");
  await world.jobsDone();
  expect(await get(iid)).toMatchObject({
    ...{ state: "merged", merged_at: world.clock.time(), merge_user: { id: owner.id }, merged_by: { id: owner.id } },
    ...{ detailed_merge_status: "not_open", merge_commit_sha: null },
  });
  expect(await notesOn(iid)).toEqual(["merged"]);
  expect((await get(idle.iid)).state).toBe("opened");
});

describe("the changes", () => {
  test("are those of git, in pages, at once, and as a patch", async () => {
    const clone = await fetched();
    runGit(clone, ["checkout", "-q", "-B", "work", "refs/fetched/heads/main"]);
    const lines = (count: number) => Array.from({ length: count }, (_, each) => `line ${each}\n`).join("");
    for (const [name, text] of [
      ["old name.txt", lines(30)],
      ["gone.txt", "gone\n"],
      ["mode.sh", "#!/bin/sh\n"],
      ["ünïcode.txt", "a\n"],
    ] as const) {
      await Bun.write(`${clone}/${name}`, text);
    }
    runGit(clone, ["add", "."]);
    runGit(clone, ["commit", "-q", "-m", "Base"]);
    await runRemote("push", "-q", address, "work");
    runGit(clone, ["checkout", "-q", "-B", "changed"]);
    runGit(clone, ["mv", "old name.txt", "new name.txt"]);
    runGit(clone, ["rm", "-q", "gone.txt"]);
    await Bun.write(`${clone}/ünïcode.txt`, "a\nb");
    await Bun.write(`${clone}/binary.bin`, new Uint8Array([0, 1, 2]));
    const odd = 'odd "\x07\b\t\v\f\x01\\.txt';
    await Bun.write(`${clone}/${odd}`, "odd\n");
    runGit(clone, ["update-index", "--chmod=+x", "mode.sh"]);
    runGit(clone, ["add", "binary.bin", "ünïcode.txt", odd]);
    runGit(clone, ["commit", "-q", "-m", "Change"]);
    await runRemote("push", "-q", address, "changed");
    const { iid, diff_refs } = await create({ source_branch: "changed", target_branch: "work" });
    const expected = runGit(clone, ["diff", "--full-index", "-M", diff_refs.base_sha, diff_refs.head_sha]);
    const raw = await world.call("GET", `${at}/merge_requests/${iid}/raw_diffs`);
    expect(raw.headers.get("content-type")).toStartWith("text/plain");
    expect(raw.text).toBe(expected);
    const paths = ["binary.bin", "gone.txt", "mode.sh", "new name.txt", odd, "ünïcode.txt"];
    const changes = await get(iid, "/changes");
    expect(changes).toMatchObject({ iid, overflow: false, changes_count: "6" });
    expect(changes.changes.map(({ new_path }: Json) => new_path)).toEqual(paths);
    expect((await get(iid, "/changes?access_raw_diffs=true")).changes).toEqual(changes.changes);
    expect(await get(iid, "/diffs?per_page=2&page=2")).toEqual(changes.changes.slice(2, 4));
    const unified = await get(iid, "/diffs?unidiff=true");
    expect(unified[5].diff).toStartWith("--- a/ünïcode.txt\n+++ b/ünïcode.txt\n@@ ");
    expect((await get(iid, "/commits")).map(({ title }: Json) => title)).toEqual(["Change"]);
  });
});

test("the refs go with the merge request", async () => {
  const { iid } = await create();
  await world.call("DELETE", `${at}/merge_requests/${iid}`, { token: owner.token });
  await world.jobsDone();
  rmSync(`${folder}/.git`, { recursive: true });
  const refs = runGit(await fetched(), ["for-each-ref", "--format=%(refname)", `refs/fetched/merge-requests/${iid}`]);
  expect(refs).toBe("");
});
