import { deletedWithProject } from "../../core/namespaces/index.ts";
import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { triggers } from "./records.ts";
import { removeTriggersOf } from "./service.ts";

export { insertTrigger } from "./service.ts";

export const triggersModule = defineModule({
  name: "triggers",
  tag: "Pipeline triggers",
  about: { "Pipeline triggers": "Tokens with which other systems start pipelines." },
  areas: ["projects"],
  operations: async () => {
    const [{ tokenOperations }, { runOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-run.ts"),
    ]);
    return [...tokenOperations, ...runOperations];
  },
  samples: async () => (await import("./samples.ts")).triggerSamples,
  collections: [triggers],
  on: [deletedWithProject(triggers, 7), subscribe(userRemovalStep, { phase: 6, run: removeTriggersOf })],
});
