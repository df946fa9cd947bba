import type { SampleScene, Samples } from "../../kernel/sample.ts";

/** Lint is asked for because its sample makes the CI file. */
const create = async ({ call, fresh }: SampleScene) => {
  await call("GET /projects/:id/ci/lint");
  return { json: { description: fresh(), ref: "main", cron: "0 1 * * *" } };
};
const variable = ({ fresh }: SampleScene) => ({ json: { key: `KEY_${fresh().replaceAll(/\W/g, "_")}`, value: "x" } });

export const scheduleSamples: Samples = {
  "POST /projects/:id/pipeline_schedules": { make: create, isMadeByCaller: true },
  "PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id": { json: { description: "Each night" } },
  "POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables": { make: variable, isMadeByCaller: true },
  "PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key": { json: { value: "y" } },
};
