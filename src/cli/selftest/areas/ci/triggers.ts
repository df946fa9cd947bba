import { defineArea } from "../../scenario.ts";
import { someText } from "../../values.ts";
import { makeCiProject } from "./common.ts";

export const pipelineTriggers = defineArea("pipeline-triggers", (scenario) => {
  const id = makeCiProject(scenario, "triggers");
  const trigger = scenario.call(
    "POST /projects/:id/triggers",
    { id },
    {
      json: { description: "nightly" },
      expect: { description: "nightly", token: someText },
    },
  );
  const one = { id, trigger_id: trigger.get("id") };
  const token = trigger.get("token");
  scenario.call("GET /projects/:id/triggers", { id }, { expect: [{ id: trigger.get("id") }] });
  scenario.call("GET /projects/:id/triggers/:trigger_id", one, { expect: { description: "nightly" } });
  scenario.call("PUT /projects/:id/triggers/:trigger_id", one, {
    json: { description: "weekly" },
    expect: { description: "weekly" },
  });
  const made = { ref: "main", source: "trigger" };
  const as = "anonymous";
  scenario.call(
    "POST /projects/:id/trigger/pipeline",
    { id },
    { as, json: { token, ref: "main", variables: { STAGE: "test" } }, expect: made },
  );
  scenario.call(
    "POST /projects/:id/ref/:ref/trigger/pipeline",
    { id, ref: "main" },
    { as, json: { token }, expect: made },
  );
  scenario.call(
    "POST /projects/:id/trigger/pipeline",
    { id },
    { as, json: { token: "wrong", ref: "main" }, status: 404 },
  );
  scenario.call("DELETE /projects/:id/triggers/:trigger_id", one);
  scenario.call("GET /projects/:id/triggers/:trigger_id", one, { status: 404 });
});
