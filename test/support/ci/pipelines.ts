import { advancePipeline, listCurrentJobs, updateJobStatus } from "../../../src/modules/ci/pipelines/index.ts";
import { ciJobs } from "../../../src/modules/ci/pipelines/records-jobs.ts";
import { type Json, rootToken, type World } from "../fixtures/world.ts";

/** Commits a CI file to a branch that developers may use, without a pipeline of its own unless said. */
export async function putCiFile(
  world: World,
  projectId: number,
  content: string,
  { branch = "main", message = "Add CI [skip ci]", token = rootToken } = {},
): Promise<void> {
  const path = `/projects/${projectId}/repository/files/${encodeURIComponent(".gitlab-ci.yml")}`;
  const known = (await world.get(`${path}?ref=${branch}`)).status === 200;
  const json = { branch, content, commit_message: message };
  const { status, text } = await world.call(known ? "PUT" : "POST", path, { token, json });
  if (status >= 300) throw new Error(`no CI file: ${status} ${text}`);
  const rule = `/projects/${projectId}/protected_branches/${encodeURIComponent(branch)}`;
  if (!known) await world.call("DELETE", rule, { token: rootToken });
}

/** Makes a pipeline through the API; its first stage is pending. */
export async function makePipeline(
  world: World,
  projectId: number,
  json: object = {},
  token = rootToken,
): Promise<Json> {
  const answer = await world.call("POST", `/projects/${projectId}/pipeline`, { token, json: { ref: "main", ...json } });
  if (answer.status !== 201) throw new Error(`no pipeline: ${answer.status} ${answer.text}`);
  await world.jobsDone();
  return answer.body;
}

/** Ends the jobs of a pipeline that nobody ran, as a runner would, straight in the store. */
export async function endJobs(world: World, pipelineId: number, status: "success" | "failed"): Promise<void> {
  const { store, context } = world;
  store.transact((tx) => {
    for (const { id } of listCurrentJobs(store, pipelineId)) {
      const job = store.of(ciJobs).get(id);
      if (job === undefined || job.is_bridge || (job.status !== "pending" && job.status !== "running")) continue;
      updateJobStatus(tx, context, job, status);
      advancePipeline(tx, context, pipelineId);
    }
  });
  await world.jobsDone();
}
