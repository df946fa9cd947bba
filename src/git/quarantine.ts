import { rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { nanoid } from "nanoid";
import { unavailable } from "../domain/failure.ts";
import { codeOf } from "./durable.ts";
import { PackError } from "./packing/limits.ts";

/** The folder in a storage for packs that are not part of a repository yet. What a killed process leaves there goes at a start. */
const incomingName = "@incoming";

/** Removes all that a killed process has left. */
export function removeIncoming(storageFolder: string): void {
  rmSync(`${storageFolder}/${incomingName}`, { recursive: true, force: true });
}

/** A received pack, apart from all repositories until it is checked and its refs are allowed. Disposing removes it. */
export class Quarantine implements AsyncDisposable {
  /** The path of the pack without its ending. */
  readonly pack: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.pack = `${folder}/received`;
  }

  static async create(storageFolder: string): Promise<Quarantine> {
    const folder = `${storageFolder}/${incomingName}/${nanoid()}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Quarantine(folder);
  }

  /**
   * Writes the bytes of a pack. Throws `PackError` for more than `bytesMax`, what reading and writing throw, and 503 when the disk is
   * full.
   */
  async write(pieces: AsyncIterable<Uint8Array>, bytesMax: number): Promise<void> {
    const file = await open(`${this.pack}.pack`, "wx", 0o600);
    let bytes = 0;
    try {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > bytesMax) throw new PackError("pack exceeds maximum allowed size");
        await file.writeFile(piece);
      }
    } catch (error) {
      throw codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT" ? unavailable(error) : error;
    } finally {
      await file.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
