/** Merges the content of one path. */

import { spend } from "../../domain/work-budget.ts";
import type { Pace } from "../../lib/yield.ts";
import { type FileVersion, kindOf } from "../diff/changed-files.ts";
import { isBinary } from "../diff/lines.ts";
import { takeCharged } from "../diff/tree-diff.ts";
import { ObjectTooLarge } from "../objects/limits.ts";
import { mergeLines } from "./merge-lines.ts";
import type { MergeObjects } from "./objects.ts";
import type { Three } from "./paths.ts";

export interface MergeNames {
  readonly one: string;
  readonly other: string;
}

export interface MergedFile {
  readonly version: FileVersion;
  readonly isClean: boolean;
}

const [plain, link, submodule] = ["100", "120", "160"];
/** Bytes of a file whose lines are merged. */
const fileBytesMax = 8 << 20;
const markerSize = 7;
const emptyFile = new Uint8Array();

/** Merges what two sides made of files. */
export class FileMerger {
  readonly #objects: MergeObjects;
  readonly #names: MergeNames;
  /** Merges of merge bases that this one is for: 0 for the merge itself. */
  readonly #depth: number;
  readonly #pace: Pace;

  constructor(objects: MergeObjects, names: MergeNames, depth: number, pace: Pace) {
    this.#objects = objects;
    this.#names = names;
    this.#depth = depth;
    this.#pace = pace;
  }

  /** Merges two versions of the same kind. Throws 413 for files that are too large to be merged. */
  async merge(
    base: FileVersion | undefined,
    one: FileVersion,
    other: FileVersion,
    paths: Three<string>,
    { isRenamed = false }: { readonly isRenamed?: boolean } = {},
  ): Promise<MergedFile> {
    const isOneKept = one.mode === other.mode || one.mode === base?.mode;
    const mode = isOneKept ? other.mode : one.mode;
    const hasMode = isOneKept || other.mode === base?.mode;
    if (one.oid === other.oid || one.oid === base?.oid) return { version: { mode, oid: other.oid }, isClean: hasMode };
    if (other.oid === base?.oid) return { version: { mode, oid: one.oid }, isClean: hasMode };
    const isKnown = base !== undefined && kindOf(base) === kindOf(one);
    const kind = kindOf(one);
    if (kind !== plain) {
      const isBase = this.#depth > 0 && base !== undefined && (kind === link || (kind === submodule && isKnown));
      return { version: isBase ? base : { mode, oid: one.oid }, isClean: false };
    }
    const merged = await this.#mergeContent(isKnown ? base : undefined, one, other, paths, isRenamed);
    return { version: { mode, oid: merged.oid }, isClean: hasMode && merged.isClean };
  }

  async #mergeContent(
    base: FileVersion | undefined,
    one: FileVersion,
    other: FileVersion,
    paths: Three<string>,
    isRenamed: boolean,
  ): Promise<{ readonly oid: string; readonly isClean: boolean }> {
    const [before, mine, theirs] = [await this.#read(base), await this.#read(one), await this.#read(other)];
    if ([before, mine, theirs].some(isBinary)) {
      const isFinal = this.#depth === 0;
      return { oid: isFinal ? one.oid : (base?.oid ?? this.#objects.addBlob(emptyFile)), isClean: !isFinal };
    }
    const hasOtherPath = paths.some((path) => path !== paths[1]);
    const named = (name: string, path: string) => (hasOtherPath ? `${name}:${path}` : name);
    const markers = {
      size: markerSize + 2 * this.#depth + (isRenamed ? 1 : 0),
      one: named(this.#names.one, paths[1]),
      other: named(this.#names.other, paths[2]),
    };
    const { bytes, isClean } = await takeCharged(mergeLines(before, mine, theirs, markers), this.#pace);
    return { oid: this.#objects.addBlob(bytes), isClean };
  }

  async #read(version: FileVersion | undefined): Promise<Uint8Array> {
    if (version === undefined) return emptyFile;
    const size = await this.#objects.blobSize(version.oid);
    if (size > fileBytesMax) throw new ObjectTooLarge("a file of more than 8 MiB cannot be merged");
    spend(size);
    return this.#objects.blob(version.oid);
  }
}
