/** The files that are compared. */

import { spend } from "../../domain/work-budget.ts";
import type { Commit } from "../objects/objects.ts";
import { type FileVersion, kindOf, type Trees } from "./changed-files.ts";

/** The objects of a repository. */
export interface ReadObjects extends Trees {
  commitOf(oid: string): Promise<Commit | undefined>;
  blobSize(oid: string): Promise<number>;
  blob(oid: string): Promise<Uint8Array>;
}

/** Bytes of a file that is compared. */
const fileBytesMax = 8 << 20;
const submodule = "160";
const emptyFile = new Uint8Array();

/** Reads the files of two trees, as far as one comparison may. */
export class Content {
  readonly #repository: ReadObjects;
  readonly #counted = new Set<string>();
  #bytesLeft: number;

  constructor(repository: ReadObjects, bytesMax: number) {
    this.#repository = repository;
    this.#bytesLeft = bytesMax;
  }

  /** An empty file where there is none; undefined for a file that is too large. Throws `OverBudget`. */
  async read(version: FileVersion | undefined): Promise<Uint8Array | undefined> {
    if (version === undefined) return emptyFile;
    const { oid } = version;
    if (kindOf(version) === submodule) return Buffer.from(`Subproject commit ${oid}\n`);
    const size = await this.#repository.blobSize(oid);
    if (!this.#counted.has(oid)) {
      if (size > Math.min(this.#bytesLeft, fileBytesMax)) return undefined;
      this.#bytesLeft -= size;
      this.#counted.add(oid);
    }
    spend(size);
    return this.#repository.blob(oid);
  }
}
