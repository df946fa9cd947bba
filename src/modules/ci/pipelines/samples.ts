import { accessLevels } from "../../../domain/access-level.ts";
import {
  fromReporters,
  type SampleCall,
  type SampleScene,
  type SampleStatus,
  type Samples,
} from "../../kernel/sample.ts";

/** No runner takes these jobs. */
const content = `
build: { tags: [samples], script: ["true"] }
later: { tags: [samples], script: ["true"], when: manual }
`;

/** Puts a CI file into the repository of the place. */
async function prepare({ once, call }: SampleScene): Promise<SampleCall> {
  const file = {
    path: { file_path: ".gitlab-ci.yml" },
    json: { branch: "main", content, commit_message: "Add the CI file [ci skip]" },
  };
  await once("CI file", () => call("POST /projects/:id/repository/files/:file_path", file));
  return {};
}

async function makePipeline({ call }: SampleScene) {
  return (await call("POST /projects/:id/pipeline")).get("id");
}

const onPipeline = async (scene: SampleScene) => ({ path: { pipeline_id: await makePipeline(scene) } });
const onJob = (status: "pending" | "manual") => async (scene: SampleScene) => {
  const path = { pipeline_id: await makePipeline(scene) };
  const query = { "scope[]": status };
  const jobs = await scene.call("GET /projects/:id/pipelines/:pipeline_id/jobs", { path, query });
  return { path: { job_id: jobs.get("0.id") } };
};
const fromMaintainers: SampleStatus = ({ level }) => (level < accessLevels.maintainer ? 403 : undefined);
const needsOutput = { unsuited: "needs a job that a runner has run" };

export const pipelineSamples: Samples = {
  "GET /projects/:id/pipelines/latest": async (scene) => {
    await makePipeline(scene);
    return {};
  },
  "GET /projects/:id/pipelines/:pipeline_id": onPipeline,
  "GET /projects/:id/pipelines/:pipeline_id/jobs": onPipeline,
  "GET /projects/:id/pipelines/:pipeline_id/bridges": onPipeline,
  "GET /-/projects/:id/pipelines/:pipeline_id/needs": async (scene) => ({
    path: { id: scene.place.projectId, pipeline_id: await makePipeline(scene) },
  }),
  "GET /projects/:id/pipelines/:pipeline_id/variables": { make: onPipeline, status: fromMaintainers },
  "POST /projects/:id/pipelines/:pipeline_id/cancel": onPipeline,
  "POST /projects/:id/pipelines/:pipeline_id/retry": onPipeline,
  "DELETE /projects/:id/pipelines/:pipeline_id": onPipeline,
  "PUT /projects/:id/pipelines/:pipeline_id/metadata": { json: { name: "A try" }, make: onPipeline },
  "GET /projects/:id/ci/lint": { make: prepare, status: fromReporters },
  "POST /projects/:id/ci/lint": { json: { content } },
  "POST /projects/:id/pipeline": { json: { ref: "main" }, make: prepare },
  "GET /projects/:id/jobs/:job_id": onJob("pending"),
  "GET /projects/:id/jobs/:job_id/trace": onJob("pending"),
  "POST /projects/:id/jobs/:job_id/cancel": onJob("pending"),
  "POST /projects/:id/jobs/:job_id/retry": {
    make: onJob("pending"),
    after: ["POST /projects/:id/jobs/:job_id/cancel"],
  },
  "POST /projects/:id/jobs/:job_id/erase": { ...needsOutput, status: fromMaintainers },
  "POST /projects/:id/jobs/:job_id/play": onJob("manual"),
  "GET /projects/:id/jobs/:job_id/artifacts": needsOutput,
  "GET /projects/:id/jobs/:job_id/artifacts/*artifact_path": needsOutput,
  "GET /projects/:id/jobs/artifacts/:ref_name/download": needsOutput,
  "GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path": needsOutput,
  "POST /projects/:id/jobs/:job_id/artifacts/keep": needsOutput,
  "DELETE /projects/:id/jobs/:job_id/artifacts": needsOutput,
};
