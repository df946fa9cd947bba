import type { Store, StoredBlob, Transaction } from "../../store/index.ts";
import type { Context } from "../context.ts";
import { enqueueJob, type JobKind, jobKind } from "../jobs/index.ts";
import type { FileContent } from "../operation.ts";
import { type TraceChunkRecord, type TraceRecord, traceChunks, traces } from "./collection.ts";

/** Bytes of a job's log so far. */
export function traceSize(store: Store, jobId: number): number {
  return store.of(traces).get(jobId)?.size ?? 0;
}

/** Adds bytes, which are on disk already, to the end of a job's log; the caller releases the blob. */
export function appendTrace(tx: Transaction, store: Store, jobId: number, { hash, size }: StoredBlob): number {
  const known = store.of(traces).get(jobId);
  tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: jobId, blob: hash });
  return putTrace(tx, known, { id: jobId, size: (known?.size ?? 0) + size, chunks: (known?.chunks ?? 0) + 1 }).size;
}

/** The log as it is now: a file where it lies in one piece. */
export async function readTrace(store: Store, jobId: number): Promise<FileContent["content"]> {
  const [first, ...others] = chunksOf(store, jobId).map(({ blob }) => Bun.file(store.blobs.pathOf(blob)));
  if (first === undefined) return "";
  if (others.length === 0) return first;
  const parts: Uint8Array[] = [];
  for (const part of [first, ...others]) parts.push(await part.bytes());
  return new Uint8Array(Buffer.concat(parts));
}

/** Forgets the log of a job. */
export function dropTrace(tx: Transaction, store: Store, jobId: number): void {
  if (store.of(traces).get(jobId) === undefined) return;
  for (const { id } of chunksOf(store, jobId)) tx.remove(traceChunks, id);
  tx.remove(traces, jobId);
}

/** Asks for the log of a job that is over to be put together: a thousand appends are no thousand files for ever. */
export function sealTrace(tx: Transaction, context: Context, jobId: number): void {
  const trace = context.store.of(traces).get(jobId);
  if (trace === undefined || trace.chunks < 2) return;
  enqueueJob(tx, context, { kind: traceSealing.kind, payload: { job_id: jobId } });
}

export const traceSealing: JobKind = jobKind<{ readonly job_id: number }>({
  kind: "trace_sealing",
  async run({ context: { store }, payload, pace, complete }) {
    const jobId = payload.job_id;
    const chunks = chunksOf(store, jobId);
    if (chunks.length < 2) return;
    const blob = await store.blobs.put(partsOf(store, chunks, pace));
    try {
      store.transact((tx) => {
        // It may have been erased meanwhile.
        const known = store.of(traces).get(jobId);
        if (known?.chunks === chunks.length) {
          for (const { id } of chunks) tx.remove(traceChunks, id);
          tx.insert(traceChunks, { id: tx.nextId("job_trace_chunks"), job_id: jobId, blob: blob.hash });
          putTrace(tx, known, { ...known, chunks: 1 });
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
  pace: () => Promise<void> | undefined,
): AsyncGenerator<Uint8Array> {
  for (const { blob } of chunks) {
    await pace();
    yield await Bun.file(store.blobs.pathOf(blob)).bytes();
  }
}

function putTrace(tx: Transaction, known: TraceRecord | undefined, trace: TraceRecord): TraceRecord {
  return known === undefined ? tx.insert(traces, trace) : tx.update(traces, trace);
}

function chunksOf(store: Store, jobId: number): TraceChunkRecord[] {
  const documents = store.of(traceChunks);
  return [...documents.by.job_id.find(jobId)].map((id) => documents.get(id) as TraceChunkRecord);
}
