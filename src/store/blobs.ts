import { corruptionError } from "./corruption.ts";
import { type Disk, type DiskFile, makeDurableFolder, writeFullyLater } from "./disk.ts";
import { inSpace, unavailableIfFull } from "./journal/space.ts";

/** Bytes that are stored under their own hash. A document holds `hash` and `size`. */
export interface StoredBlob {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Ends the protection from the sweep. Call it once a document names the blob, or when none ever will. */
  release(): void;
}

/** A blob that arrives in parts. `keep` stores it. The next start removes the draft of a process that died. */
export interface BlobDraft {
  /** The number of bytes so far. */
  readonly size: number;
  /** The hash of these bytes. */
  readonly hash: string;
  /** Appends bytes; one call at a time. After an error, the earlier bytes stay, and the caller may append more. */
  append(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Stores the draft as a blob, with the result of `Blobs.put`. */
  keep(): Promise<StoredBlob>;
  /** Removes the draft. Does nothing after `keep` or another `discard`. */
  discard(): void;
}

/** The number of bytes that a check holds in memory at a time. */
const checkedBytes = 1 << 20;

/**
 * Avatars, job traces, packages, image layers and long texts. Each lies in `blobs/<first two digits>/<hash>` of a
 * generation.
 */
export class Blobs {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #pins = new Map<string, number>();
  /** Blobs that a document has stopped naming. The sweep removes those that no other document names. */
  readonly #sweepCandidates = new Set<string>();
  readonly #holds = new Set<Promise<void>>();
  #temporaryCount = 0;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** Writes and syncs a blob. It is on disk when the promise resolves, so a transaction may then name it. */
  async put(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const draft = this.begin();
    try {
      await draft.append(chunks);
      return await draft.keep();
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  /** Starts a blob whose bytes arrive over time and which may be discarded. Throws 503 when the disk is full. */
  begin(): BlobDraft {
    this.#temporaryCount += 1;
    const path = `${this.#folder}/${this.#temporaryCount}.tmp`;
    try {
      makeDurableFolder(this.#disk, this.#folder);
      return new Draft(this.#disk, path, (hash, size) => this.#store(path, hash, size));
    } catch (error) {
      throw unavailableIfFull(error);
    }
  }

  /** Returns the bytes of a blob. Throws `corruptionError` when they do not match the hash. */
  read(hash: string): Uint8Array {
    const path = this.pathOf(hash);
    const bytes = this.#disk.read(path);
    if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== hash) throw isDamaged(path);
    return bytes;
  }

  /** Throws as `read` does, but reads a large blob in parts. */
  verify(hash: string): void {
    const path = this.pathOf(hash);
    const hasher = new Bun.CryptoHasher("sha256");
    for (let offset = 0, length = checkedBytes; length === checkedBytes; offset += length) {
      const part = this.#disk.readPart(path, offset, checkedBytes);
      hasher.update(part);
      length = part.byteLength;
    }
    if (hasher.digest("hex") !== hash) throw isDamaged(path);
  }

  /**
   * Returns the path of a blob's file. Throws `corruptionError` when the text is no hash, since another program may have written a
   * path into a document.
   */
  pathOf(hash: string): string {
    if (!isHash(hash)) throw isNoHash(this.#folder, hash);
    return `${this.#folderOf(hash)}/${hash}`;
  }

  /** Yields the hashes of all blobs on disk. */
  *hashes(): Generator<string> {
    for (const name of this.#disk.list(this.#folder)) {
      if (/^[0-9a-f]{2}$/.test(name)) yield* this.#disk.list(`${this.#folder}/${name}`);
    }
  }

  /** Notes blobs that a document no longer names, for the next `sweepUnneeded`. */
  noteUnneeded(hashes: Iterable<string>): void {
    for (const hash of hashes) this.#sweepCandidates.add(hash);
  }

  /**
   * Removes every blob that no document names. `settled` resolves once all of memory is durable: a blob may go only when the
   * change that stopped naming it can no longer be lost.
   */
  async sweep(isNamed: (hash: string) => boolean, settled: () => Promise<void> | undefined): Promise<number> {
    this.#sweepCandidates.clear();
    return this.#sweepOf([...this.hashes()], isNamed, settled);
  }

  /** Sweeps only the blobs that a document stopped naming since the last sweep. Costs nothing when there are none. */
  async sweepUnneeded(isNamed: (hash: string) => boolean, settled: () => Promise<void> | undefined): Promise<number> {
    const candidates = [...this.#sweepCandidates];
    this.#sweepCandidates.clear();
    return this.#sweepOf(candidates, isNamed, settled);
  }

  async #sweepOf(
    all: readonly string[],
    isNamed: (hash: string) => boolean,
    settled: () => Promise<void> | undefined,
  ): Promise<number> {
    const isNeeded = (hash: string) => !isHash(hash) || this.#pins.has(hash) || isNamed(hash);
    const candidates = all.filter((hash) => !isNeeded(hash));
    await settled();
    while (this.#holds.size > 0) await Promise.all(this.#holds);
    // A document in the journal may name a blob that was noted again after the sweep began. The next sweep decides.
    const unneeded = candidates.filter((hash) => !isNeeded(hash) && !this.#sweepCandidates.has(hash));
    for (const hash of unneeded) this.#disk.remove(this.pathOf(hash));
    return unneeded.length;
  }

  /** Keeps all blobs until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.add(promise);
    return () => {
      this.#holds.delete(promise);
      resolve();
    };
  }

  /** Removes the temporary files of interrupted uploads. Only for the start, when no upload is under way. */
  removeTemporary(): void {
    for (const name of this.#disk.list(this.#folder))
      if (name.endsWith(".tmp")) this.#disk.remove(`${this.#folder}/${name}`);
  }

  async #store(temporary: string, hash: string, size: number): Promise<StoredBlob> {
    this.#pin(hash);
    try {
      await inSpace(() => this.#startServing(temporary, hash));
    } catch (error) {
      this.#unpin(hash);
      throw error;
    }
    return { hash, size, release: () => this.#unpin(hash) };
  }

  async #startServing(temporary: string, hash: string): Promise<void> {
    const folder = this.#folderOf(hash);
    this.#disk.makeFolder(folder);
    // Syncs even an existing folder: another upload may have made it and not synced it yet.
    await this.#disk.syncFolderLater(this.#folder);
    this.#disk.rename(temporary, `${folder}/${hash}`);
    await this.#disk.syncFolderLater(folder);
  }

  #folderOf(hash: string): string {
    return `${this.#folder}/${hash.slice(0, 2)}`;
  }

  #pin(hash: string): void {
    this.#pins.set(hash, (this.#pins.get(hash) ?? 0) + 1);
  }

  #unpin(hash: string): void {
    const left = (this.#pins.get(hash) ?? 0) - 1;
    if (left > 0) {
      this.#pins.set(hash, left);
      return;
    }
    this.#pins.delete(hash);
    this.#sweepCandidates.add(hash);
  }
}

class Draft implements BlobDraft {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #store: (hash: string, size: number) => Promise<StoredBlob>;
  readonly #hasher = new Bun.CryptoHasher("sha256");
  #size = 0;
  #hasEnded = false;

  constructor(disk: Disk, path: string, store: (hash: string, size: number) => Promise<StoredBlob>) {
    this.#disk = disk;
    this.#path = path;
    this.#file = disk.open(path, "fresh");
    this.#store = store;
  }

  get size(): number {
    return this.#size;
  }

  get hash(): string {
    return this.#hasher.copy().digest("hex");
  }

  async append(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
    let writing = Promise.resolve();
    try {
      for (;;) {
        // Writes a chunk while the next one arrives. The next one may never arrive, so a failed write ends the wait.
        const arriving = Promise.resolve(source.next());
        arriving.catch(() => undefined);
        await writing;
        const { done, value } = await arriving;
        if (done === true) return;
        if (this.#hasEnded) throw new Error("the draft of a blob has ended");
        writing = this.#write(value);
        writing.catch(() => undefined);
      }
    } catch (error) {
      await writing.catch(() => undefined);
      Promise.resolve(source.return?.()).catch(() => undefined);
      throw error;
    }
  }

  async #write(chunk: Uint8Array): Promise<void> {
    await inSpace(() => writeFullyLater(this.#file, chunk, this.#size));
    this.#hasher.update(chunk);
    this.#size += chunk.byteLength;
  }

  async keep(): Promise<StoredBlob> {
    await inSpace(() => this.#file.syncLater());
    this.#end();
    return this.#store(this.hash, this.#size);
  }

  discard(): void {
    this.#end();
    this.#disk.remove(this.#path);
  }

  #end(): void {
    if (!this.#hasEnded) this.#file.close();
    this.#hasEnded = true;
  }
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function isNoHash(folder: string, text: string) {
  return corruptionError(
    folder,
    undefined,
    `a document names the blob ${JSON.stringify(text.slice(0, 100))}, which is no hash`,
  );
}

function isDamaged(path: string) {
  return corruptionError(path, 0, "its content does not match its hash");
}
