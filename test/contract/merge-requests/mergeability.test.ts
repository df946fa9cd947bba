import { expect, test } from "bun:test";
import { mergeRequestScene } from "./scene.ts";

const { world, owner, at, commit, create } = await mergeRequestScene();

const read = async (iid: number) => {
  const { merge_status, detailed_merge_status, has_conflicts } = (await world.get(`${at}/merge_requests/${iid}`)).body;
  return [merge_status, detailed_merge_status, has_conflicts];
};
const set = async (json: object) => {
  expect((await world.call("PUT", at, { token: owner.token, json })).status).toBe(200);
};
const change = (branch: string, content: string) =>
  world.call("PUT", `${at}/repository/files/README.md`, {
    token: owner.token,
    json: { branch, content, commit_message: "Change" },
  });

test("branches that merge can be merged, those that change the same lines cannot", async () => {
  const fine = await create();
  const clash = await create();
  await change(clash.source_branch, "of the branch\n");
  await change("main", "of main\n");
  await world.jobsDone();
  expect((await world.get(`${at}/merge_requests?iids[]=${clash.iid}`)).body[0].detailed_merge_status).toBe("unchecked");
  expect(await read(fine.iid)).toEqual(["can_be_merged", "mergeable", false]);
  expect(await read(clash.iid)).toEqual(["cannot_be_merged", "conflict", true]);
  expect((await world.get(`${at}/merge_requests?iids[]=${clash.iid}`)).body[0].detailed_merge_status).toBe("conflict");
  await change(clash.source_branch, "of main\n");
  await world.jobsDone();
  expect(await read(clash.iid)).toEqual(["can_be_merged", "mergeable", false]);
});

test("a merge request without commits, or whose target is gone, has no commits to merge", async () => {
  await world.call("POST", `${at}/repository/branches`, { token: owner.token, json: { branch: "idle", ref: "main" } });
  const idle = await create({ source_branch: "idle" });
  expect(idle.detailed_merge_status).toBe("commits_status");
  await commit("away", "away.txt", "a", "main");
  const lost = await create({ target_branch: "away" });
  expect(lost.detailed_merge_status).toBe("mergeable");
  await world.call("DELETE", `${at}/repository/branches/away`, { token: owner.token });
  expect((await read(lost.iid))[1]).toBe("commits_status");
});

test("the project's settings ask for a rebase, for approvals and for a pipeline", async () => {
  const { iid } = await create();
  await commit("main", "ahead.txt");
  for (const [json, status] of [
    [{ merge_method: "ff" }, "need_rebase"],
    [{ merge_method: "ff", squash_option: "always" }, "mergeable"],
    [{ merge_method: "rebase_merge" }, "need_rebase"],
    [{ merge_method: "merge", squash_option: "default_off" }, "mergeable"],
    [{ only_allow_merge_if_pipeline_succeeds: true }, "ci_must_pass"],
    [{ approvals_before_merge: 1 }, "not_approved"],
  ] as const) {
    await set(json);
    expect([json, (await read(iid))[1]]).toEqual([json, status]);
  }
});
