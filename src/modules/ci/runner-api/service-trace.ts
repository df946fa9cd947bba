import { Failure, forbidden } from "../../../domain/failure.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { appendTrace, joinChunks, maskPiece, type TraceEnd, traceEnd } from "../job-logs/index.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";
import { recordContactOfJob } from "../runners/index.ts";
import { getRunningJob } from "./service-running-job.ts";
import { finishJob } from "./service-timeout.ts";

/** Bytes of one job's log. */
const traceBytesMax = 100 * 1024 * 1024;

/** The next piece of a log, as a runner sends it. */
export interface TracePatch {
  readonly id: number;
  readonly token: string | undefined;
  readonly hasDebugOutput: boolean;
  /** `0-99`: where it belongs. The end that runners write there is one too high, so it is not looked at. */
  readonly contentRange: string | null;
  bytes(): Promise<Uint8Array>;
}

/**
 * Adds to the log of a running job and says how long it is. Throws 403, 400 without a range, and 416, with how far the log
 * has come, for a piece that does not follow on it, and 507.
 */
export async function updateTrace(
  context: Context,
  patch: TracePatch,
): Promise<{ readonly job: CiJobRecord; readonly size: number }> {
  const { store } = context;
  const { runner_id, runner_manager_id, project_id } = getRunningJob(context, patch.id, patch.token);
  recordContactOfJob(context, runner_id, runner_manager_id);
  if (patch.contentRange === null) throw new Failure("parameters", { error: "400 Missing header Content-Range" });
  const start = Number.parseInt(patch.contentRange, 10) || 0;
  const piece = await patch.bytes();
  const end = { size: start + piece.length };
  const before = endAt(context, patch.id, start);
  if (end.size > traceBytesMax) return requireTraceLength(context, patch);
  if (piece.length === 0) return { job: getRunningJob(context, patch.id, patch.token), size: start };
  await joinChunks(context, patch.id);
  const { bytes, tokenStart } = maskPiece(piece, patch.token as string, before.tokenStart);
  const blob = bytes.length === 0 ? undefined : await context.get(Quotas).writeBlob(`project ${project_id}`, [bytes]);
  try {
    return store.transact((tx) => {
      const job = getRunningJob(context, patch.id, patch.token);
      endAt(context, job.id, start);
      appendTrace(tx, store, job, blob, { ...end, tokenStart, hasDebugOutput: patch.hasDebugOutput });
      return { job, ...end };
    });
  } finally {
    blob?.release();
  }
}

/** The end of the log, which has to be where the piece begins. Throws 416. */
function endAt({ store }: Context, jobId: number, start: number): TraceEnd {
  const end = traceEnd(store, jobId);
  if (end.size !== start) throw unsuited(end.size);
  return end;
}

function unsuited(size: number): Failure {
  return new Failure("range", { error: "416 Range Not Satisfiable" }, { headers: { Range: `0-${size}` } });
}

function requireTraceLength(context: Context, { id, token }: TracePatch): never {
  context.store.transact((tx) => {
    finishJob(tx, context, getRunningJob(context, id, token), "failed", { failure_reason: "trace_size_exceeded" });
  });
  throw forbidden();
}
