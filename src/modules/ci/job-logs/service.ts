import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, StoredBlob, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { heldBytes } from "./masking.ts";
import { type TraceChunkRecord, type TraceRecord, traceChunks, traces } from "./records.ts";

/** The end of a job's log. */
export interface TraceEnd {
  /** Bytes. */
  readonly size: number;
  /** The number of bytes at the end that equal the beginning of the job's token. */
  readonly tokenStart: number;
}

/** A job, as far as its log needs it. */
interface LoggingJob {
  readonly id: number;
  readonly project_id: number;
}

const awaitedMs = 5 * 60 * 1000;

export function traceEnd(store: Store, jobId: number): TraceEnd {
  const { size = 0, token_start = 0 } = store.of(traces).get(jobId) ?? {};
  return { size, tokenStart: token_start };
}

/** Adds bytes, which are on disk already, to the end of a job's log; the caller releases the blob. */
export function appendTrace(
  tx: Transaction,
  store: Store,
  { id, project_id }: LoggingJob,
  blob: StoredBlob | undefined,
  end: TraceEnd = { size: traceEnd(store, id).size + (blob?.size ?? 0), tokenStart: 0 },
): void {
  const { token_start: _, ...known } = store.of(traces).get(id) ?? { id, chunks: 0 };
  if (blob !== undefined) tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: id, blob: blob.hash });
  replaceTrace(tx, store, {
    ...known,
    project_id,
    size: end.size,
    chunks: known.chunks + (blob === undefined ? 0 : 1),
    ...(end.tokenStart === 0 ? {} : { token_start: end.tokenStart }),
  });
}

/** Whether the server still waits for bytes of a log: the runner announced them, or sent them. */
export function awaitTrace({ store, clock }: Context, jobId: number, size: number): boolean {
  const known = store.of(traces).get(jobId) ?? { id: jobId, size: 0, chunks: 0 };
  if (known.size >= size) return false;
  if (known.awaited_since !== undefined) return clock.now() - Date.parse(known.awaited_since) < awaitedMs;
  store.transact((tx) => replaceTrace(tx, store, { ...known, awaited_since: toDateTime(clock.now()) }));
  return true;
}

/** The log as it is now: a file if it is stored in one piece, else piece by piece, as memory should not hold it whole. */
export function readTrace(store: Store, jobId: number): FileContent["content"] {
  const chunks = chunksOf(store, jobId);
  if (chunks.length < 2) return chunks[0] === undefined ? "" : fileOf(store, chunks[0]);
  const pieces = piecesOf(store, jobId, chunks);
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}

/**
 * Yields the log from its chunks. If the chunks are sealed and swept during a slow read, it continues in the whole log.
 */
async function* piecesOf(
  store: Store,
  jobId: number,
  chunks: readonly TraceChunkRecord[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let sent = 0;
  for (const chunk of chunks) {
    const file = fileOf(store, chunk);
    if (!(await file.exists())) {
      const [whole] = chunksOf(store, jobId);
      if (whole !== undefined) yield* fileOf(store, whole).slice(sent).stream();
      return;
    }
    for await (const piece of file.stream()) {
      sent += piece.length;
      yield piece;
    }
  }
}

function fileOf(store: Store, { blob }: TraceChunkRecord) {
  return Bun.file(store.blobs.pathOf(blob));
}

/** Forgets the log of a job. */
export function removeTrace(tx: Transaction, store: Store, jobId: number): void {
  if (store.of(traces).get(jobId) === undefined) return;
  for (const { id } of chunksOf(store, jobId)) tx.remove(traceChunks, id);
  tx.remove(traces, jobId);
}

/**
 * Enqueues the sealing of a finished job's log: otherwise a thousand appends would stay a thousand files. Bytes that
 * were held back are masked for good: they may be a cut-off token.
 */
export function sealTrace(tx: Transaction, context: Context, jobId: number): void {
  if (isSealed(context.store.of(traces).get(jobId))) return;
  enqueueJob(tx, context, { kind: traceSealing.kind, payload: { job_id: jobId } });
}

function isSealed(trace: TraceRecord | undefined): boolean {
  return trace === undefined || (trace.chunks < 2 && heldBytes(trace.token_start ?? 0) === 0);
}

export const traceSealing: JobKind = jobKind<{ readonly job_id: number }>({
  kind: "trace_sealing",
  async run({ context: { store }, payload, pace, complete }) {
    const jobId = payload.job_id;
    if (isSealed(store.of(traces).get(jobId))) return;
    const chunks = chunksOf(store, jobId);
    const held = heldBytes(traceEnd(store, jobId).tokenStart);
    const blob = await store.blobs.put(partsOf(store, chunks, held, pace));
    try {
      store.transact((tx) => {
        // It may have been erased meanwhile.
        const known = store.of(traces).get(jobId);
        if (known?.chunks === chunks.length) {
          for (const { id } of chunks) tx.remove(traceChunks, id);
          tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: jobId, blob: blob.hash });
          const { token_start: _, awaited_since, ...rest } = known;
          replaceTrace(tx, store, { ...rest, chunks: 1 });
        }
        complete(tx);
      });
    } finally {
      blob.release();
    }
  },
});

async function* partsOf(
  store: Store,
  chunks: readonly TraceChunkRecord[],
  held: number,
  pace: () => Promise<void> | undefined,
): AsyncGenerator<Uint8Array> {
  for (const { blob } of chunks) {
    await pace();
    yield await Bun.file(store.blobs.pathOf(blob)).bytes();
  }
  yield Buffer.from("x".repeat(held));
}

function replaceTrace(tx: Transaction, store: Store, trace: TraceRecord): void {
  if (store.of(traces).get(trace.id) === undefined) tx.insert(traces, trace);
  else tx.update(traces, trace);
}

function chunksOf(store: Store, jobId: number): TraceChunkRecord[] {
  const documents = store.of(traceChunks);
  return [...documents.by.job_id.find(jobId)].map((id) => documents.get(id) as TraceChunkRecord);
}
