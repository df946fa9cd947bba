import { groupRemoval, projectRemoval } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { ciVariableEvents } from "./events.ts";
import { ciVariables, variableSourceKey } from "./records.ts";

export { listVariablesFor, type VariableReader } from "./service-job.ts";

export const variablesModule = defineModule({
  name: "variables",
  about: { "CI variables": "Variables that jobs of a project, of a group or of the whole instance get." },
  areas: ["admin", "groups", "projects"],
  operations: async () => {
    const { variableOperations, instanceVariableOperations } = await import("./operations.ts");
    return { "CI variables": [...variableOperations, ...instanceVariableOperations] };
  },
  samples: async () => (await import("./samples.ts")).variableSamples,
  collections: [ciVariables],
  events: ciVariableEvents.all,
  on: [
    projectRemoval({
      remove: (tx, { store }, { id }, limit) =>
        removeFirst(
          tx,
          ciVariables,
          store.of(ciVariables).by.source.find(variableSourceKey({ source_type: "project", source_id: id })),
          limit,
        ),
    }),
    groupRemoval({
      remove: (tx, { store }, { id }, limit) =>
        removeFirst(
          tx,
          ciVariables,
          store.of(ciVariables).by.source.find(variableSourceKey({ source_type: "group", source_id: id })),
          limit,
        ),
    }),
  ],
});
