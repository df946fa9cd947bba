import { recordEvents } from "../../kernel/record-events.ts";
import { type PipelineScheduleRecord, pipelineSchedules } from "./records.ts";

export const pipelineScheduleEvents = recordEvents<PipelineScheduleRecord>("pipeline-schedule", pipelineSchedules);
