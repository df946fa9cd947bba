import { damaged } from "./damage.ts";
import { type Disk, makeLastingFolder, writeFullyLater } from "./disk.ts";

/** Bytes on disk under their own hash; a document holds `hash` and `size`. */
export interface StoredBlob {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** To be called once a document names the blob, or none ever will: until then it is not swept away. */
  release(): void;
}

/** Avatars, job traces, packages, image layers, long texts: `DATA/blobs/<first two digits>/<hash>`. */
export class Blobs {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #pins = new Map<string, number>();
  readonly #holds = new Set<Promise<void>>();
  #temporaryCount = 0;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** Writes and syncs; the bytes are on disk when it resolves, so a transaction may name them. */
  async put(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    makeLastingFolder(this.#disk, this.#folder);
    this.#temporaryCount += 1;
    const temporary = `${this.#folder}/${this.#temporaryCount}.tmp`;
    const file = this.#disk.open(temporary, "fresh");
    const hasher = new Bun.CryptoHasher("sha256");
    let size = 0;
    try {
      for await (const chunk of chunks) {
        hasher.update(chunk);
        await writeFullyLater(file, chunk, size);
        size += chunk.byteLength;
      }
      await file.syncLater();
    } catch (error) {
      this.#disk.remove(temporary);
      throw error;
    } finally {
      file.close();
    }
    const hash = hasher.digest("hex");
    this.#pin(hash);
    await this.#moveIn(temporary, hash);
    return { hash, size, release: () => this.#unpin(hash) };
  }

  /** Throws `damaged` when the bytes are not those of the hash. */
  read(hash: string): Uint8Array {
    const path = this.pathOf(hash);
    const bytes = this.#disk.read(path);
    if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== hash) {
      throw damaged(path, 0, "its content does not have its hash");
    }
    return bytes;
  }

  pathOf(hash: string): string {
    return `${this.#folderOf(hash)}/${hash}`;
  }

  /** Hashes of all blobs on disk. */
  *hashes(): Generator<string> {
    for (const name of this.#disk.list(this.#folder)) {
      if (/^[0-9a-f]{2}$/.test(name)) yield* this.#disk.list(`${this.#folder}/${name}`);
    }
  }

  /**
   * Removes what no document names. `settled` resolves once everything in memory is durable: a blob may go only when
   * the change that let go of it can no longer be lost.
   */
  async sweep(isNamed: (hash: string) => boolean, settled: () => Promise<void> | undefined): Promise<number> {
    const isNeeded = (hash: string) => this.#pins.has(hash) || isNamed(hash);
    const candidates = [...this.hashes()].filter((hash) => !isNeeded(hash));
    await settled();
    while (this.#holds.size > 0) await Promise.all(this.#holds);
    const unneeded = candidates.filter((hash) => !isNeeded(hash));
    for (const hash of unneeded) this.#disk.remove(this.pathOf(hash));
    return unneeded.length;
  }

  /** Until the function that it returns is called, no blob goes. */
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

  async #moveIn(temporary: string, hash: string): Promise<void> {
    const folder = this.#folderOf(hash);
    this.#disk.makeFolder(folder);
    // Even where the folder is there: whoever made it may not have come to its sync yet.
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
    if (left > 0) this.#pins.set(hash, left);
    else this.#pins.delete(hash);
  }
}
