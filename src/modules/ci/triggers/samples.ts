import type { SampleScene, Samples } from "../../kernel/sample.ts";

const describe = ({ fresh }: SampleScene) => ({ json: { description: fresh() } });
/** Lint is asked for because its sample makes the CI file. */
const newToken = async ({ call }: SampleScene) => {
  await call("GET /projects/:id/ci/lint");
  return String((await call("POST /projects/:id/triggers")).get("token"));
};

export const triggerSamples: Samples = {
  "POST /projects/:id/triggers": { make: describe, isMadeByCaller: true },
  "PUT /projects/:id/triggers/:trigger_id": describe,
  "POST /projects/:id/trigger/pipeline": async (scene) => ({ form: { token: await newToken(scene), ref: "main" } }),
  "POST /projects/:id/ref/:ref/trigger/pipeline": async (scene) => ({
    path: { ref: "main" },
    form: { token: await newToken(scene) },
  }),
};
