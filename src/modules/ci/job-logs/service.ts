import { toDateTime } from "../../../lib/datetime.ts";
import { yieldToOthers } from "../../../lib/yield.ts";
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
  /** The runner says that the variables of the job are in it. */
  readonly hasDebugOutput?: boolean;
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

export function hasDebugOutput(store: Store, jobId: number): boolean {
  return store.of(traces).get(jobId)?.has_debug_output === true;
}

/** A runner that sends its log in tiny pieces must not make a file of each. */
const smallBytes = 64 * 1024;
const smallChunksMax = 64;

function smallChunks(count: number): Pick<TraceRecord, "small_chunks"> {
  return count === 0 ? {} : { small_chunks: count };
}

/** Makes one chunk of the small ones at the end of a log once they are many, so that a log has few for its size. */
export async function joinChunks({ store }: Context, jobId: number): Promise<void> {
  const { small_chunks: count = 0 } = store.of(traces).get(jobId) ?? {};
  if (count < smallChunksMax) return;
  const joined = chunksOf(store, jobId).slice(-count);
  const [first, ...others] = joined;
  const isUnchanged = () => joined.every(({ id, blob }) => store.of(traceChunks).get(id)?.blob === blob);
  const blob = await store.blobs.put(partsOf(store, joined));
  try {
    store.transact((tx) => {
      // Bytes may have followed meanwhile; or the log was sealed, erased, or joined by another request.
      const known = store.of(traces).get(jobId);
      if (first === undefined || known === undefined || !isUnchanged()) return;
      for (const { id } of others) tx.remove(traceChunks, id);
      tx.update(traceChunks, { ...first, blob: blob.hash });
      const { small_chunks: now = 0, ...rest } = known;
      const left = now < count ? now : now - count + (blob.size < smallBytes ? 1 : 0);
      replaceTrace(tx, store, { ...rest, chunks: known.chunks - others.length, ...smallChunks(left) });
    });
  } finally {
    blob.release();
  }
}

/** Adds bytes, which are on disk already, to the end of a job's log; the caller releases the blob. */
export function appendTrace(
  tx: Transaction,
  store: Store,
  { id, project_id }: LoggingJob,
  blob: StoredBlob | undefined,
  end: TraceEnd = { size: traceEnd(store, id).size + (blob?.size ?? 0), tokenStart: 0 },
): void {
  const { token_start: _, small_chunks: small = 0, ...known } = store.of(traces).get(id) ?? { id, chunks: 0 };
  if (blob !== undefined) tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: id, blob: blob.hash });
  replaceTrace(tx, store, {
    ...known,
    project_id,
    size: end.size,
    chunks: known.chunks + (blob === undefined ? 0 : 1),
    ...smallChunks(blob === undefined ? small : blob.size < smallBytes ? small + 1 : 0),
    ...(end.hasDebugOutput ? { has_debug_output: true as const } : {}),
    ...(end.tokenStart === 0 ? {} : { token_start: end.tokenStart }),
  });
}

/** Whether the server still waits for bytes of a log: the runner announced them, or sent them. */
export function awaitTrace({ store, clock }: Context, { id, project_id }: LoggingJob, size: number): boolean {
  const known = store.of(traces).get(id) ?? { id, project_id, size: 0, chunks: 0 };
  if (known.size >= size) return false;
  if (known.awaited_since !== undefined) return clock.now() - Date.parse(known.awaited_since) < awaitedMs;
  store.transact((tx) => replaceTrace(tx, store, { ...known, awaited_since: toDateTime(clock.now()) }));
  return true;
}

/** The log as it is now: a file if it is stored in one piece, else piece by piece, as memory should not hold it whole. */
export function readTrace(store: Store, jobId: number): FileContent["content"] {
  const chunks = chunksOf(store, jobId);
  if (chunks.length < 2) return chunks[0] === undefined ? "" : fileOf(store, chunks[0]);
  const pieces = piecesOf(store, jobId);
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

/** Yields the log from its chunks. If they are joined or sealed, and swept, during a slow read, it continues in the new ones. */
async function* piecesOf(store: Store, jobId: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let sent = 0;
  for (let isSwept = true; isSwept; ) {
    isSwept = false;
    let start = 0;
    for (const chunk of chunksOf(store, jobId)) {
      const file = fileOf(store, chunk);
      const isNamed = () => store.of(traceChunks).get(chunk.id)?.blob === chunk.blob;
      isSwept = !(await file.exists()) && !isNamed();
      if (isSwept) break;
      const { size } = file;
      if (start + size > sent) {
        for await (const piece of file.slice(Math.max(0, sent - start)).stream()) {
          sent += piece.length;
          yield piece;
        }
      }
      start += size;
    }
  }
}

function fileOf(store: Store, { blob }: TraceChunkRecord) {
  return Bun.file(store.blobs.pathOf(blob));
}

/** Bytes that a search from the end reads, in one piece, and in all. */
const pieceBytes = 64 * 1024;
const searchedBytesMax = 8 * 1024 * 1024;
const lineFeed = 10;

/** The lines of a log, the last first, as far as a search goes. The beginning of a long line is left out. */
export async function* linesFromEnd(store: Store, jobId: number): AsyncGenerator<string, void> {
  let rest = Buffer.alloc(0);
  let left = searchedBytesMax;
  for (const chunk of chunksOf(store, jobId).reverse()) {
    const file = fileOf(store, chunk);
    for (let end = file.size; end > 0 && left > 0; end -= pieceBytes) {
      const piece = await file.slice(Math.max(0, end - pieceBytes), end).bytes();
      left -= piece.length;
      const bytes = Buffer.concat([piece, rest]);
      let lineEnd = bytes.length;
      for (let at = bytes.lastIndexOf(lineFeed); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(lineFeed, at - 1)) {
        yield lineOf(bytes.subarray(at + 1, lineEnd));
        lineEnd = at;
      }
      rest = bytes.subarray(Math.max(0, lineEnd - pieceBytes), lineEnd);
    }
  }
  yield lineOf(rest);
}

function lineOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\r$/, "");
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
  async run({ context, payload, pace, complete }) {
    const { store } = context;
    const jobId = payload.job_id;
    if (isSealed(store.of(traces).get(jobId))) return;
    const chunks = chunksOf(store, jobId);
    const held = heldBytes(traceEnd(store, jobId).tokenStart);
    const blob = await store.blobs.put(partsOf(store, chunks, pace, held));
    try {
      store.transact((tx) => {
        // It may have been erased or joined meanwhile.
        const known = store.of(traces).get(jobId);
        if (known?.chunks === chunks.length) {
          for (const { id } of chunks) tx.remove(traceChunks, id);
          tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: jobId, blob: blob.hash });
          const { token_start: _, awaited_since, small_chunks, ...rest } = known;
          replaceTrace(tx, store, { ...rest, chunks: 1 });
        } else sealTrace(tx, context, jobId);
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
  pace: () => Promise<void> | undefined = yieldToOthers,
  held = 0,
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
