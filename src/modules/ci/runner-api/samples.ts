import type { Samples } from "../../kernel/sample.ts";

const needsJob = { unsuited: "needs a job that runs" };

export const runnerApiSamples: Samples = {
  "POST /jobs/request": async ({ call }) => {
    const runner = await call("POST /user/runners", { json: { runner_type: "instance_type", paused: true } });
    return { json: { token: runner.get("token"), system_id: "s_1" } };
  },
  "GET /runners/:id/jobs": async ({ call }) => ({ path: { id: (await call("POST /user/runners")).get("id") } }),
  "PATCH /jobs/:id/trace": needsJob,
  "POST /jobs/:id/artifacts": needsJob,
  "GET /jobs/:id/artifacts": needsJob,
  "PUT /jobs/:id": needsJob,
};
