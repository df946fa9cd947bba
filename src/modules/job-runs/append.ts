import { Failure, forbidden } from "../../domain/failure.ts";
import type { Context } from "../context.ts";
import { appendTrace, traceSize } from "../job-traces/index.ts";
import type { CiJobRecord } from "../pipelines/index.ts";
import { getRunningJob } from "./running-job.ts";
import { endJob } from "./timeout.ts";

/** Bytes of one job's log. */
const traceBytesMax = 100 * 1024 * 1024;

/** The next piece of a log, as a runner sends it. */
export interface TracePatch {
  readonly id: number;
  readonly token: string | undefined;
  /** `0-99`: where it belongs. The end that runners write there is one too high, so it is not looked at. */
  readonly contentRange: string | null;
  bytes(): Promise<Uint8Array>;
}

/**
 * Adds to the log of a running job and says how long it is. Throws 403, 400 without a range, and 416, with how far the log
 * has come, for a piece that does not follow on it.
 */
export async function patchTrace(
  context: Context,
  patch: TracePatch,
): Promise<{ readonly job: CiJobRecord; readonly size: number }> {
  const { store } = context;
  getRunningJob(context, patch.id, patch.token);
  if (patch.contentRange === null) throw new Failure("parameters", { error: "400 Missing header Content-Range" });
  const start = Number.parseInt(patch.contentRange, 10) || 0;
  const bytes = masked(await patch.bytes(), patch.token as string);
  if (start + bytes.length > traceBytesMax) return refuseLength(context, patch);
  if (traceSize(store, patch.id) !== start) throw unsuited(traceSize(store, patch.id));
  if (bytes.length === 0) return { job: getRunningJob(context, patch.id, patch.token), size: start };
  const blob = await store.blobs.put([bytes]);
  try {
    return store.transact((tx) => {
      const job = getRunningJob(context, patch.id, patch.token);
      const known = traceSize(store, job.id);
      if (known !== start) throw unsuited(known);
      return { job, size: appendTrace(tx, store, job.id, blob) };
    });
  } finally {
    blob.release();
  }
}

function unsuited(size: number): Failure {
  return new Failure("range", { error: "416 Range Not Satisfiable" }, { headers: { Range: `0-${size}` } });
}

function refuseLength(context: Context, { id, token }: TracePatch): never {
  context.store.transact((tx) => {
    endJob(tx, context, getRunningJob(context, id, token), "failed", { failure_reason: "trace_size_exceeded" });
  });
  throw forbidden();
}

/** A log is read by more people than those who may act as the job: `x` stands where its token did. */
function masked(bytes: Uint8Array, token: string): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(token); at !== -1; at = buffer.indexOf(token, at))
    buffer.fill("x", at, at + token.length);
  return buffer;
}
