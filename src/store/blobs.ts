import { damaged } from "./corruption.ts";
import { type Disk, type DiskFile, makeDurableFolder, writeFullyLater } from "./disk.ts";
import { inSpace, unavailableIfFull } from "./journal/space.ts";

/** Bytes on disk under their own hash; a document holds `hash` and `size`. */
export interface StoredBlob {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Must be called once a document names the blob, or none ever will: until then it is not swept away. */
  release(): void;
}

/** A blob that arrives in parts. It is in the store from `keep` on; the next process removes one that a dead process left. */
export interface BlobDraft {
  /** Bytes that came so far. */
  readonly size: number;
  /** The hash of these bytes. */
  readonly hash: string;
  /** One call at a time. After an error the bytes written before it stay, and more may follow. */
  append(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Ends the draft with a blob, as `Blobs.put` returns it. */
  keep(): Promise<StoredBlob>;
  /** The end of the draft; no error after another end. */
  discard(): void;
}

/** The bytes of a file that a check holds in memory at a time. */
const checkedBytes = 1 << 20;

/** Avatars, job traces, packages, image layers, long texts: `blobs/<first two digits>/<hash>` of a generation. */
export class Blobs {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #pins = new Map<string, number>();
  /** Blobs that perhaps no document needs: the sweep decides. */
  readonly #letGo = new Set<string>();
  readonly #holds = new Set<Promise<void>>();
  #temporaryCount = 0;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** Writes and syncs; the bytes are on disk when it resolves, so a transaction may name them. */
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

  /** A blob whose bytes come over time, and may turn out not to be wanted. Throws 503 on a full disk, as all that writes. */
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

  /** Throws `damaged` when the bytes are not those of the hash. */
  read(hash: string): Uint8Array {
    const path = this.pathOf(hash);
    const bytes = this.#disk.read(path);
    if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== hash) throw isDamaged(path);
    return bytes;
  }

  /** Throws as `read`, and holds little of a large one. */
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

  /** Throws `damaged` for a text that is no hash: a document of another program may hold a path. */
  pathOf(hash: string): string {
    if (!isHash(hash)) throw isNoHash(this.#folder, hash);
    return `${this.#folderOf(hash)}/${hash}`;
  }

  /** Hashes of all blobs on disk. */
  *hashes(): Generator<string> {
    for (const name of this.#disk.list(this.#folder)) {
      if (/^[0-9a-f]{2}$/.test(name)) yield* this.#disk.list(`${this.#folder}/${name}`);
    }
  }

  /** Notes that a document let go of blobs: `sweepLetGo` looks at them. */
  noteLetGo(hashes: Iterable<string>): void {
    for (const hash of hashes) this.#letGo.add(hash);
  }

  /**
   * Removes what no document names. `settled` resolves once everything in memory is durable: a blob may go only when
   * the change that let go of it can no longer be lost.
   */
  async sweep(isNamed: (hash: string) => boolean, settled: () => Promise<void> | undefined): Promise<number> {
    this.#letGo.clear();
    return this.#sweepOf([...this.hashes()], isNamed, settled);
  }

  /** Sweeps only the blobs that were let go of since the last time, so that it costs nothing where there are none. */
  async sweepLetGo(isNamed: (hash: string) => boolean, settled: () => Promise<void> | undefined): Promise<number> {
    const candidates = [...this.#letGo];
    this.#letGo.clear();
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
    // A blob that was let go of again since the sweep began may be named by a document in the journal: it waits for the
    // next sweep.
    const unneeded = candidates.filter((hash) => !isNeeded(hash) && !this.#letGo.has(hash));
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

  /** Removes what uploads that were cut off left behind; for the start, when there are none. */
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
    // Even if the folder exists: its maker may not have synced it yet.
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
    this.#letGo.add(hash);
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
        // A chunk is written while the next one arrives. That may never come, so a failed write ends the wait.
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
  return damaged(
    folder,
    undefined,
    `a document names the blob ${JSON.stringify(text.slice(0, 100))}, which is no hash`,
  );
}

function isDamaged(path: string) {
  return damaged(path, 0, "its content does not have its hash");
}
