import { afterAll, describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { installTool } from "../../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../../support/process/temp-folder.ts";
import { filesOf, git, makeProject } from "../setting.ts";

const world = await startWorld();
const runner = await makeRunner(world, {});
const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

describe("what a job fetches", () => {
  test.each([
    ["nothing said", "", undefined, 20],
    ["the file of all jobs", "variables: {GIT_DEPTH: '0'}\n", undefined, 0],
    ["the job", "variables: {GIT_DEPTH: '0'}\n", "7", 7],
    ["no number", "", "many", 0],
  ])("has the depth of %s", async (_, top, ofJob, depth) => {
    const { id } = await makeProject(world, {});
    const own = ofJob === undefined ? "" : `, variables: {GIT_DEPTH: "${ofJob}"}`;
    await putCiFile(world, id, `${top}job: {script: [make]${own}}`);
    const { id: pipelineId, sha } = await makePipeline(world, id, {});
    const { git_info } = await takeJob(world, runner);
    const ofPipeline = `+${sha}:refs/pipelines/${pipelineId}`;
    const shallow = ["+refs/heads/main:refs/remotes/origin/main"];
    const all = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
    expect(git_info).toMatchObject({ depth, refspecs: [ofPipeline, ...(depth === 0 ? all : shallow)] });
  });

  test("is one tag and the commit for a pipeline of a tag", async () => {
    const { id } = await makeProject(world, {});
    await putCiFile(world, id, "job: {script: [make]}");
    const json = { tag_name: "v1", ref: "main" };
    await world.call("POST", `/projects/${id}/repository/tags`, { token: rootToken, json });
    await makePipeline(world, id, { ref: "v1" });
    const { git_info } = await takeJob(world, runner);
    expect(git_info.refspecs.slice(1)).toEqual(["+refs/tags/v1:refs/tags/v1"]);
  });

  test.skipIf(missing !== undefined)("is there when the branch has gone on by more commits", async () => {
    const { id } = await makeProject(world, {});
    await putCiFile(world, id, "variables: {GIT_DEPTH: '2'}\njob: {script: [make]}");
    await makePipeline(world, id, {});
    const { git_info } = await takeJob(world, runner);
    const { create } = filesOf(world, id, rootToken);
    for (let at = 0; at < 5; at += 1) await create(`later/${at}.txt`, { commit_message: "[skip ci]" });
    const { repo_url, refspecs, sha, depth } = git_info;
    await git(["init", "-q", folder.path]);
    await git(["-C", folder.path, "fetch", "-q", `--depth=${depth}`, repo_url, ...refspecs]);
    await git(["-C", folder.path, "checkout", "-q", sha]);
    expect((await git(["-C", folder.path, "rev-parse", "HEAD"])).trim()).toBe(sha);
  });
});
