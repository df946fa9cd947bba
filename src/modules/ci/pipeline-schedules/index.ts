import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { pipelineScheduleEvents } from "./events.ts";
import { pipelineSchedules } from "./records.ts";
import { scheduledRun } from "./service-run.ts";
import { scheduleOwnerRemoval } from "./user-removal.ts";

export const pipelineSchedulesModule = defineModule({
  name: "pipeline-schedules",
  tag: "Pipeline schedules",
  about: { "Pipeline schedules": "Times at which a project runs a pipeline." },
  areas: ["projects"],
  operations: async () => {
    const [{ scheduleOperations }, { scheduleVariableOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-variables.ts"),
    ]);
    return [...scheduleOperations, ...scheduleVariableOperations];
  },
  samples: async () => (await import("./samples.ts")).scheduleSamples,
  collections: [pipelineSchedules],
  jobs: [scheduledRun],
  events: pipelineScheduleEvents.all,
  on: [deletedWithProject(pipelineSchedules), scheduleOwnerRemoval],
});
