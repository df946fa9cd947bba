import { createGunzip, type Gunzip } from "node:zlib";
import { type Entry, type Extract, extract as startUntar } from "tar-stream";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { writeOn } from "../lib/drain.ts";
import { isJsonBeyond } from "../lib/text/json-size.ts";
import {
  type ArchiveHeader,
  type ArchiveManifest,
  anotherArchive,
  archiveFormat,
  type EntryTarget,
  filesPerList,
  headerName,
  isListName,
  type ListedFile,
  listName,
  manifestName,
  parseEntryName,
  unreadable,
} from "./format.ts";

/** The receiver of an archive's files. They may be corrupt until `readArchive` resolves. */
export interface ArchiveVisitor {
  /** Called before the first file. May throw. */
  begin?(header: ArchiveHeader): Promise<void>;
  /** Called for each file. It must read all of the content. */
  file?(place: EntryTarget, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The largest sizes of files that are read whole. No backup writes larger ones. */
const bytesMaxOf = { header: 64 << 10, manifest: 16 << 20, list: 8 << 20 } as const;
const lineFeed = 10;
/** The limits on JSON in an archive. */
const jsonLimits = { levels: 4, values: 100_000 } as const;

/**
 * Reads a whole archive and compares each file with its hash. Resolves to the manifest. Throws `StartError` when the archive
 * is corrupt, incomplete, or has files that no backup writes. Only pieces of it are in memory.
 */
export async function readArchive(
  bytes: AsyncIterable<Uint8Array>,
  visitor: ArchiveVisitor = {},
): Promise<ArchiveManifest> {
  const gunzip = createGunzip();
  const untar = startUntar();
  let broken: Error | undefined;
  const fail = (error: unknown) => {
    const reason = error instanceof Error ? error : new Error(String(error));
    broken ??= reason;
    gunzip.destroy(reason);
    untar.destroy(reason);
  };
  let hasEnded = false;
  const working = Promise.all([decompress(bytes, gunzip).catch(fail), pass(gunzip, untar).catch(fail)]);
  try {
    const reader = new ArchiveReader(visitor);
    for await (const entry of untar) await reader.take(entry);
    hasEnded = true;
    return reader.end();
  } catch (error) {
    // The reader of an entry sees only that its stream ended. The caller gets the cause.
    throw explain(error instanceof StartError ? error : (broken ?? error));
  } finally {
    if (!hasEnded) fail(new Error("a file of the archive was not read completely"));
    await working;
  }
}

class ArchiveReader {
  readonly #visitor: ArchiveVisitor;
  readonly #lists: ListedFile[] = [];
  #listed: ListedFile[] = [];
  #header: ArchiveHeader | undefined;
  #manifest: ArchiveManifest | undefined;
  #files = 0;
  #bytes = 0;

  constructor(visitor: ArchiveVisitor) {
    this.#visitor = visitor;
  }

  async take(entry: Entry): Promise<void> {
    const { name, type, size = 0 } = entry.header;
    if (this.#manifest !== undefined) throw unreadable(`${JSON.stringify(name)} comes after the manifest`);
    if (type !== "file") throw unreadable(`${JSON.stringify(name)} is a ${type}, and a backup holds files only`);
    if (this.#header === undefined) {
      if (name !== headerName) throw unreadable("it is no backup of Outpost");
      const header = parse<ArchiveHeader>(name, await bytesOf(entry, size, bytesMaxOf.header));
      refuseHeader(header);
      this.#header = header;
      await this.#visitor.begin?.(header);
    } else if (name === manifestName) {
      this.#manifest = parse<ArchiveManifest>(name, await bytesOf(entry, size, bytesMaxOf.manifest));
      this.#checkManifest(this.#manifest);
    } else if (isListName(name)) {
      const bytes = await bytesOf(entry, size, bytesMaxOf.list);
      this.#checkList(name, bytes);
      this.#lists.push({ name, size, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") });
    } else await this.#takeFile(entry, name, size);
  }

  /** Throws when the manifest has not come. */
  end(): ArchiveManifest {
    if (this.#manifest === undefined) throw cutOff();
    return this.#manifest;
  }

  async #takeFile(entry: Entry, name: string, size: number): Promise<void> {
    const place = parseEntryName(name);
    if (place === undefined) throw unreadable(`it has a file ${JSON.stringify(name)}, which no backup has`);
    if (this.#listed.length === filesPerList) throw unreadable(`the list before ${name} is missing`);
    const hash = new Bun.CryptoHasher("sha256");
    const content = hashed(entry, hash);
    if (this.#visitor.file !== undefined) await this.#visitor.file(place, size, content);
    else for await (const _ of content);
    this.#listed.push({ name, size, sha256: hash.digest("hex") });
    this.#files += 1;
    this.#bytes += size;
  }

  #checkList(name: string, bytes: Buffer): void {
    if (name !== listName(this.#lists.length + 1)) throw unreadable(`${name} is not the next list`);
    if (this.#listed.length === 0) throw unreadable(`${name} lists no file`);
    let start = 0;
    for (const file of this.#listed) {
      const end = bytes.indexOf(lineFeed, start);
      const stated = end === -1 ? undefined : parse<ListedFile>(name, bytes.subarray(start, end));
      start = end + 1;
      if (stated?.name !== file.name) throw unreadable(`${file.name} is not in the list of files`);
      if (stated.sha256 !== file.sha256 || stated.size !== file.size) {
        throw unreadable(`${file.name} is damaged: its content does not match its hash`);
      }
    }
    if (start < bytes.length) throw unreadable(`files of ${name} are missing`);
    this.#listed = [];
  }

  #checkManifest({ files, bytes, lists, ...header }: ArchiveManifest): void {
    if (this.#listed.length > 0) throw unreadable(`the list of ${this.#listed[0]?.name} is missing`);
    const isSame = Bun.deepEquals(lists, this.#lists) && Bun.deepEquals(header, this.#header);
    if (!isSame || files !== this.#files || bytes !== this.#bytes) {
      throw unreadable("its manifest does not match its files");
    }
  }
}

function refuseHeader(header: Partial<ArchiveHeader>): void {
  const { outpost_backup, release, store_format, journal_position, storages } = header;
  if (typeof outpost_backup !== "number") throw unreadable("it is no backup of Outpost");
  if (outpost_backup > archiveFormat) {
    throw new StartError(
      `the archive has format ${outpost_backup}, this version reads up to ${archiveFormat}`,
      `outpost version, of another executable: ${release} or newer`,
    );
  }
  const isWhole = typeof store_format === "number" && typeof journal_position === "number" && Array.isArray(storages);
  if (!isWhole) throw unreadable(`${headerName} is not valid`);
}

async function* hashed(entry: Entry, hash: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const piece of entry) {
    hash.update(piece);
    yield piece;
  }
}

async function bytesOf(entry: Entry, size: number, bytesMax: number): Promise<Buffer> {
  if (size > bytesMax) throw unreadable(`${entry.header.name} is larger than in any backup`);
  const pieces: Buffer[] = [];
  for await (const piece of entry) pieces.push(piece);
  return Buffer.concat(pieces);
}

function parse<T>(name: string, bytes: Buffer): T {
  try {
    const value: unknown = isJsonBeyond(bytes, jsonLimits) ? undefined : JSON.parse(bytes.toString());
    if (typeof value === "object" && value !== null) return value as T;
  } catch {
    // The code below reports it.
  }
  throw unreadable(`${name} is not valid`);
}

async function decompress(bytes: AsyncIterable<Uint8Array>, gunzip: Gunzip): Promise<void> {
  let isFirst = true;
  for await (const piece of bytes) {
    if (isFirst && piece[0] !== 0x1f) throw unreadable("it is no backup of Outpost, which is a gzipped tar archive");
    isFirst = false;
    await writeOn(gunzip, piece);
    if (gunzip.destroyed) return;
  }
  gunzip.end();
}

async function pass(gunzip: Gunzip, untar: Extract): Promise<void> {
  for await (const piece of gunzip) {
    await writeOn(untar, piece);
    if (untar.destroyed) return;
  }
  untar.end();
}

function cutOff(): StartError {
  return unreadable("it is cut off, its end is missing");
}

/** Converts an error of zlib or tar about the bytes into a `StartError` with a hint. */
function explain(error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR" || /unexpected end/i.test(error.message)) return cutOff();
  if (/^(Z_|ERR_)/.test(code) || /header|checksum/i.test(error.message)) {
    return new StartError(`the archive is damaged: ${error.message}`, anotherArchive, {
      cause: error,
      exitCode: exitCodes.damaged,
    });
  }
  return error;
}
