import { Type } from "@sinclair/typebox";
import {
  accepted,
  created,
  file,
  noContent,
  ok,
  oneOfResponses,
  operation,
  type ResponseVariant,
} from "../../kernel/operation.ts";
import { WatchedLogs } from "../job-logs/index.ts";
import { JobArtifact, JobPayload, PatchTrace, RequestJob, UpdateJob, UploadArtifact } from "./schema.ts";
import { downloadArtifact, uploadArtifact } from "./service-artifacts.ts";
import { heldSecondsMax, requestJob } from "./service-request.ts";
import { requireJobNotEnded } from "./service-running-job.ts";
import { updateTrace } from "./service-trace.ts";
import { updateJob } from "./service-update.ts";

/** Seconds after which a runner may send more: of a log that somebody reads, of another one, and of the end of a log. */
const watchedInterval = "3";
const unwatchedInterval = "60";
const intervalHeader = "X-GitLab-Trace-Update-Interval";
const patchBytesMax = 16 * 1024 * 1024;

/** The status itself is the body. */
const Status = Type.Integer();

const statusHeader = { "Job-Status": "status of the job" };
const jobHeaders = { ...statusHeader, [intervalHeader]: "seconds after which to send more" };

/** triggers-and-pipelines 5: what runners ask, with tokens of their own. */
export const jobRunOperations = [
  operation({
    method: "POST",
    path: "/jobs/request",
    summary: "Request a job (runners)",
    who: "anyone",
    http: { longPollSeconds: heldSecondsMax },
    params: RequestJob,
    answer: oneOfResponses(
      { answer: created(JobPayload) },
      { answer: noContent(), headers: { "X-GitLab-Last-Update": "what the runner knows now: its next `last_update`" } },
    ),
    handle({ context, caller, params, baseUrl, raw }) {
      return requestJob(context, { params, baseUrl, ipAddress: () => caller.ipAddress, gone: () => raw.gone });
    },
  }),

  operation({
    method: "PATCH",
    path: "/jobs/:id/trace",
    summary: "Append to the log of a job (runners)",
    who: "anyone",
    takesJobToken: "itself",
    body: { sizeBytesMax: patchBytesMax },
    params: PatchTrace,
    answer: oneOfResponses({ answer: accepted(), headers: { Range: "how far the log has come", ...jobHeaders } }),
    failures: ["range", "no_room"],
    async handle({ context, params: { id, token, debug_trace }, raw }): Promise<ResponseVariant> {
      const { job, size } = await updateTrace(context, {
        id,
        token: token ?? raw.header("job-token") ?? undefined,
        hasDebugOutput: debug_trace === true,
        contentRange: raw.header("content-range"),
        bytes: () => raw.bytes(),
      });
      const interval = context.get(WatchedLogs).isWatched(job.id) ? watchedInterval : unwatchedInterval;
      return { kind: "accepted", headers: { Range: `0-${size}`, ...statusOf(job), [intervalHeader]: interval } };
    },
  }),

  operation({
    method: "POST",
    path: "/jobs/:id/artifacts",
    summary: "Upload an artifact of a job (runners)",
    who: "anyone",
    takesJobToken: "itself",
    params: UploadArtifact,
    http: {
      refuseStranger: (context, { path, query, header }) =>
        requireJobNotEnded(context, path.id, query.token || header("job-token")),
    },
    answer: created(Status),
    async handle({ context, params, raw }) {
      await uploadArtifact(context, params, params.token ?? raw.header("job-token") ?? undefined);
      return 201;
    },
  }),

  operation({
    method: "GET",
    path: "/jobs/:id/artifacts",
    summary: "Download the artifacts of a job (runners)",
    who: "anyone",
    takesJobToken: "itself",
    params: JobArtifact,
    answer: file({ maxAgeS: 0 }),
    handle({ context, params: { id, token }, raw }) {
      return downloadArtifact(context, id, token ?? raw.header("job-token") ?? undefined);
    },
  }),

  operation({
    method: "PUT",
    path: "/jobs/:id",
    summary: "Update the state of a job (runners)",
    who: "anyone",
    takesJobToken: "itself",
    params: UpdateJob,
    answer: oneOfResponses(
      { answer: ok(Status), headers: statusHeader },
      { answer: accepted(Status), headers: jobHeaders },
    ),
    handle({ context, params: { id, token, output, ...said }, raw }): ResponseVariant {
      const { job, isAccepted } = updateJob(context, id, {
        token: token ?? raw.header("job-token") ?? undefined,
        state: said.state,
        failure_reason: said.failure_reason,
        exit_code: said.exit_code,
        logSize: typeof output?.bytesize === "number" ? output.bytesize : undefined,
      });
      return isAccepted
        ? { kind: "accepted", body: 202, headers: { ...statusOf(job), [intervalHeader]: watchedInterval } }
        : { kind: "ok", body: 200, headers: statusOf(job) };
    },
  }),
];

function statusOf({ status }: { readonly status: string }): Record<string, string> {
  return { "Job-Status": status };
}
