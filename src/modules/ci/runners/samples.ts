import type { SampleScene, Samples } from "../../kernel/sample.ts";

/** Paused, so that it takes no job. */
const newRunner = async ({ call }: SampleScene) =>
  call("POST /user/runners", { json: { runner_type: "instance_type", paused: true } });
const asRunner = async (scene: SampleScene) => ({
  json: { token: (await newRunner(scene)).get("token"), system_id: "s_1" },
});
const onOwn = async ({ call }: SampleScene) => ({ path: { id: (await call("POST /user/runners")).get("id") } });

export const runnerSamples: Samples = {
  "POST /user/runners": {
    make: async ({ callByCaller }) => ({
      json: { runner_type: "group_type", group_id: (await callByCaller("POST /groups")).get("id"), paused: true },
    }),
    isMadeByCaller: true,
  },
  "POST /runners": async ({ call }) => ({
    json: { token: (await call("POST /projects/:id/runners/reset_registration_token")).get("token") },
  }),
  "POST /runners/reset_registration_token": { unsuited: "changes the token of the whole instance" },
  "POST /runners/verify": asRunner,
  "POST /runners/reset_authentication_token": asRunner,
  "DELETE /runners/managers": asRunner,
  "DELETE /runners": asRunner,
  "POST /projects/:id/runners": async ({ call, callByCaller }) => {
    const project_id = (await callByCaller("POST /projects")).get("id");
    const runner = await call("POST /user/runners", {
      json: { runner_type: "project_type", project_id, paused: true },
    });
    return { json: { runner_id: runner.get("id") } };
  },
  "GET /runners/:id": onOwn,
  "GET /runners/:id/managers": onOwn,
  "PUT /runners/:id": async (scene) => ({ ...(await onOwn(scene)), json: { description: "desk" } }),
  "DELETE /runners/:id": onOwn,
  "POST /runners/:id/reset_authentication_token": onOwn,
};
