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

/** The log as it is now: a file where it lies in one piece, else piece by piece, as memory should not hold it whole. */
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

/** Whoever reads slowly may find that the chunks were put together meanwhile, and swept: then it goes on in the whole log. */
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
