import { createGzip } from "node:zlib";
import { type Pack, pack as startTar } from "tar-stream";
import { version } from "../../package.json" with { type: "json" };
import { pour } from "../lib/drain.ts";
import { addTarEntry } from "../lib/tar.ts";
import { bytesInTar, expectedBytes } from "./expected-bytes.ts";
import {
  type ArchiveHeader,
  type ArchiveManifest,
  archiveFormat,
  filesPerList,
  headerName,
  type ListedFile,
  listName,
  manifestName,
} from "./format.ts";
import { type ArchiveFile, type ArchiveSource, filesOf } from "./sources.ts";

/** The compression level. A higher one gains little: repositories and many blobs are compressed already. */
const gzipLevel = 4;

/** The progress of an archive, in bytes before compression. The total is an estimate, and may be missing. */
export interface ArchiveProgress {
  readonly done: number;
  readonly total: number | undefined;
}

/**
 * Yields a gzipped tar archive in pieces, as fast as the consumer reads; only a few pieces are in memory. The archive ends
 * with a manifest, so that a truncated one is recognised. Throws when the disk fails or `signal` is aborted. Calls
 * `onProgress` with the total before the first piece, and for each file.
 */
export async function* writeArchive(
  source: ArchiveSource,
  created_at: string,
  signal: AbortSignal,
  onProgress?: (progress: ArchiveProgress) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const total = onProgress === undefined ? undefined : await expectedBytes(source);
  onProgress?.({ done: 0, total });
  const onDone = (done: number) => onProgress?.({ done, total });
  const tar = startTar();
  const gzip = createGzip({ level: gzipLevel, chunkSize: 1 << 16 });
  const fail = (error: unknown) => {
    const reason = error instanceof Error ? error : new Error(String(error));
    tar.destroy(reason);
    gzip.destroy(reason);
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener("abort", abort);
  const working = Promise.all([fill(tar, source, created_at, signal, onDone).catch(fail), pour(tar, gzip).catch(fail)]);
  try {
    signal.throwIfAborted();
    for await (const piece of gzip) yield piece as Buffer<ArrayBuffer>;
  } finally {
    signal.removeEventListener("abort", abort);
    // A consumer that stops early also ends the producers.
    tar.destroy();
    gzip.destroy();
    await working;
  }
}

async function fill(
  tar: Pack,
  source: ArchiveSource,
  created_at: string,
  signal: AbortSignal,
  onDone: (bytes: number) => void,
): Promise<void> {
  const { snapshot, storages } = source;
  const header: ArchiveHeader = {
    outpost_backup: archiveFormat,
    release: version,
    created_at,
    store: snapshot.manifest.store,
    store_format: snapshot.manifest.format,
    journal_position: snapshot.position,
    storages: [...storages.keys()],
  };
  const mtime = new Date(created_at);
  const lists: ListedFile[] = [];
  let listed: ListedFile[] = [];
  let [files, bytes, done] = [0, 0, 0];
  const addText = (name: string, text: string) => {
    const content = Buffer.from(text);
    return add(tar, { name, size: content.byteLength, content }, mtime);
  };
  const addList = async () => {
    const text = listed.map((file) => `${JSON.stringify(file)}\n`).join("");
    lists.push(await addText(listName(lists.length + 1), text));
    listed = [];
  };
  await addText(headerName, `${JSON.stringify(header, null, 2)}\n`);
  for await (const file of filesOf(source)) {
    signal.throwIfAborted();
    listed.push(await add(tar, file, mtime));
    files += 1;
    bytes += file.size;
    done += bytesInTar(file.size);
    onDone(done);
    if (listed.length === filesPerList) await addList();
  }
  if (listed.length > 0) await addList();
  const manifest: ArchiveManifest = { ...header, files, bytes, lists };
  await addText(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  tar.finalize();
}

async function add(tar: Pack, { name, size, content }: ArchiveFile, mtime: Date): Promise<ListedFile> {
  const hash = new Bun.CryptoHasher("sha256");
  const pieces = content instanceof Uint8Array ? [content] : content;
  await addTarEntry(tar, { name, size, mode: 0o600, mtime }, pieces, (piece) => hash.update(piece));
  return { name, size, sha256: hash.digest("hex") };
}
