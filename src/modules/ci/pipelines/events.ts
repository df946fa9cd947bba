import { recordEvents } from "../../kernel/record-events.ts";
import { type PipelineRecord, pipelines } from "./records.ts";
import { type CiJobRecord, ciJobs } from "./records-jobs.ts";

/**
 * Events about pipelines. Their statuses follow from those of the jobs, so the caller is the server; the user is in the record.
 */
export const pipelineEvents = recordEvents<PipelineRecord>("pipeline", pipelines);

/** Events about jobs, as those about pipelines: one for each status. */
export const ciJobEvents = recordEvents<CiJobRecord>("ci-job", ciJobs);
