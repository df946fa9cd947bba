import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { filesOf, makeProject } from "../setting.ts";

const world = await startWorld();

const sha1 = (...ids: string[]) => createHash("sha1").update(ids.toSorted().join("-")).digest("hex");

async function project(ci: string) {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const files = filesOf(world, id, rootToken);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const skip = { commit_message: "Change a file [skip ci]" };
  return {
    put: (path: string, content: string) => files.create(path, { content, ...skip }),
    change: (path: string, content: string) => files.change(path, { content, ...skip }),
    of: async (path: string): Promise<Json> => (await files.get(path)).body,
    keys: async (): Promise<string[]> => {
      await makePipeline(world, id);
      const job = await takeJob(world, runner);
      return job.cache.map(({ key }: Json) => key.replace(/-protected$/, ""));
    },
  };
}

test("the key of a cache is a hash of the contents of files, of those that exist", async () => {
  const { put, change, of, keys } = await project(`
a:
  script: x
  cache:
    - {key: {files: [Gemfile.lock, none.lock], prefix: $CI_JOB_NAME}, paths: [vendor]}
    - {key: {files: ["sub/*.lock"]}, paths: [sub]}
    - {key: {files: [none.lock], prefix: gems}, paths: [none]}
`);
  await put("Gemfile.lock", "one");
  await put("sub/b.lock", "b");
  await put("sub/a.lock", "a");
  const ids = async () =>
    Promise.all(["Gemfile.lock", "sub/a.lock", "sub/b.lock"].map(async (path) => (await of(path)).blob_id));
  const [gems = "", a = "", b = ""] = await ids();
  expect(await keys()).toEqual([`$CI_JOB_NAME-${sha1(gems)}`, `1_sub/*-${sha1(a, b)}`, "gems-default"]);
  await put("other.txt", "changes nothing");
  expect((await keys())[0]).toBe(`$CI_JOB_NAME-${sha1(gems)}`);
  await change("Gemfile.lock", "two");
  expect((await keys())[0]).not.toBe(`$CI_JOB_NAME-${sha1(gems)}`);
  await change("Gemfile.lock", "one");
  expect((await keys())[0]).toBe(`$CI_JOB_NAME-${sha1(gems)}`);
});

test("with files_commits, it is a hash of the last commits that changed them", async () => {
  const { put, change, of, keys } = await project(
    "a: {script: x, cache: {key: {files_commits: [Gemfile.lock], prefix: gems}, paths: [vendor]}}",
  );
  expect(await keys()).toEqual(["gems-default"]);
  await put("Gemfile.lock", "one");
  const { last_commit_id } = await of("Gemfile.lock");
  expect(await keys()).toEqual([`gems-${sha1(last_commit_id)}`]);
  await put("other.txt", "changes nothing");
  expect(await keys()).toEqual([`gems-${sha1(last_commit_id)}`]);
  await change("Gemfile.lock", "two");
  await change("Gemfile.lock", "one");
  const [key] = await keys();
  expect(key).not.toBe(`gems-${sha1(last_commit_id)}`);
});

test("a key of a file that is not there, or without anything, is a text", async () => {
  const { keys } = await project(
    "a: {script: x, cache: [{key: {prefix: gems, files: [none.txt]}, paths: [a]}, {key: plain, paths: [b]}, {paths: [c]}]}",
  );
  expect(await keys()).toEqual(["gems-default", "plain", "default"]);
});
