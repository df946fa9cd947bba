import { deletedWithProject } from "../../core/namespaces/index.ts";
import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { triggers } from "./records.ts";
import { removeTriggersOf } from "./service.ts";

export { type TriggerRecord, triggers } from "./records.ts";
export { insertTrigger } from "./service.ts";

export const triggersModule = defineModule({
  name: "triggers",
  tag: "Pipeline triggers",
  areas: ["projects"],
  operations: async () => (await import("./api.ts")).operations,
  collections: [triggers],
  on: [deletedWithProject(triggers, 7), subscribe(userDeleted, { phase: 6, run: removeTriggersOf })],
});
