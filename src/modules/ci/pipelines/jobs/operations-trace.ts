import { accessLevels } from "../../../../domain/access-level.ts";
import { inProject } from "../../../core/access/index.ts";
import { file, operation } from "../../../kernel/operation.ts";
import { readTrace, traceEnd, WatchedLogs } from "../../job-logs/index.ts";
import { requireBuildReader } from "../policy.ts";
import { JobInPath } from "../schema.ts";
import { requireTraceReader } from "./policy.ts";
import { getCiJob } from "./service.ts";

/** triggers-and-pipelines 4: what a job leaves. */
export const traceOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/jobs/:job_id/trace",
    summary: "Get the log of a job",
    who: inProject(accessLevels.none),
    params: JobInPath,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      const job = getCiJob(context.store, project, params.job_id);
      requireTraceReader(context, caller, project, job);
      context.get(WatchedLogs).noteRead(job.id);
      const { size, tokenStart } = traceEnd(context.store, job.id);
      // A log only grows.
      const headers = {
        "Content-Disposition": `infile; filename="${job.id}.log"`,
        ETag: `W/"${job.id}-${size}-${tokenStart}"`,
      };
      return { contentType: "text/plain", content: readTrace(context.store, job.id), headers };
    },
  }),
];
