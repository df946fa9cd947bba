/** Decides what comes of each path of a merge. */

import { requestPace } from "../../domain/work-budget.ts";
import { type FileVersion, kindOf } from "../diff/changed-files.ts";
import type { FileMerger, MergeNames } from "./merge-files.ts";
import { filemaskOf, type MergePaths, newEntry, type PathEntry, type Three } from "./paths.ts";

/** How a merge ends in places that it cannot decide. */
export interface ResolveOptions {
  readonly names: MergeNames;
  /** A merge of merge bases takes the version of its own base. */
  readonly isForBase: boolean;
  readonly merger: FileMerger;
}

/** Gives each path a result. */
export async function resolvePaths(paths: MergePaths, options: ResolveOptions): Promise<void> {
  const pace = requestPace();
  const resolver = new Resolver(paths, options);
  const waiting: PathEntry[] = [];
  for (const entry of [...paths.entries.values()]) {
    if (entry.isFileFolder && !entry.isDone) waiting.push(entry);
    else await resolver.resolve(entry);
    const turn = pace();
    if (turn !== true) await turn;
  }
  // The deepest come first: whether a folder is left decides about the file in its place.
  waiting.sort((one, other) => other.path.split("/").length - one.path.split("/").length);
  for (const entry of waiting) await resolver.resolveInFolder(entry);
}

class Resolver {
  readonly #entries: Map<string, PathEntry>;
  readonly #options: ResolveOptions;
  /** Folders that something is in. */
  readonly #filled = new Set<string>();

  constructor({ entries }: MergePaths, options: ResolveOptions) {
    this.#entries = entries;
    this.#options = options;
  }

  /** Decides about a path where no folder is in the way. */
  async resolve(entry: PathEntry): Promise<void> {
    if (!entry.isDone) {
      if (filemaskOf(entry) === 0) {
        // A folder: what is in it has entries of its own.
        entry.isDone = true;
        entry.isClean = true;
        return;
      }
      await this.#decide(entry);
    }
    this.#fill(entry);
  }

  /** Decides about a file of one side that is a folder of the other one. */
  async resolveInFolder(entry: PathEntry): Promise<void> {
    if (filemaskOf(entry) === 0) return this.resolve(entry);
    if (!this.#filled.has(entry.path)) {
      entry.matchMask &= ~entry.dirmask;
      entry.dirmask = 0;
      entry.isFileFolder = false;
      return this.resolve(entry);
    }
    if (filemaskOf(entry) === 1) {
      entry.stages = [undefined, undefined, undefined];
      return this.resolve(entry);
    }
    const side = (entry.dirmask & 2) !== 0 ? 2 : 1;
    const { one, other } = this.#options.names;
    const moved: PathEntry = { ...entry, path: this.#freePath(entry.path, side === 1 ? one : other), dirmask: 0 };
    this.#entries.set(moved.path, moved);
    entry.stages = [undefined, undefined, undefined];
    entry.isDone = true;
    entry.isClean = true;
    await this.#decide(moved, side);
    this.#fill(moved);
  }

  #fill({ path, result }: PathEntry): void {
    if (result === undefined) return;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (this.#filled.has(folder)) return;
      this.#filled.add(folder);
    }
  }

  #freePath(path: string, name: string): string {
    const base = `${path}~${name.replaceAll("/", "_")}`;
    let free = base;
    for (let number = 0; this.#entries.has(free); number += 1) free = `${base}_${number}`;
    return free;
  }

  /** `side`: the one whose file is moved out of the way of a folder. */
  async #decide(entry: PathEntry, side?: 1 | 2): Promise<void> {
    const { stages, matchMask } = entry;
    const [base, one, other] = stages;
    const files = filemaskOf(entry);
    const isUndisputed = !entry.isFileFolder && !entry.hasPathConflict;
    const end = (result: FileVersion | undefined, isClean: boolean) => {
      entry.result = result;
      entry.isDone = true;
      entry.isClean = isClean;
    };
    if (matchMask !== 0) {
      const result = matchMask === 6 ? one : stages[matchMask === 3 ? 2 : 1];
      return end(result, isUndisputed || result === undefined);
    }
    if (one !== undefined && other !== undefined) {
      if (kindOf(one) !== kindOf(other)) return this.#decideKinds(entry, stages);
      const { version, isClean } = await this.#options.merger.merge(base, one, other, entry.names);
      if (isClean && side !== undefined) {
        entry.stages = [undefined, undefined, undefined];
        entry.stages[side] = version;
      }
      return end(version, isClean && isUndisputed);
    }
    const kept = one ?? other;
    if (kept === undefined) return end(undefined, !entry.hasPathConflict);
    if ((files & 1) === 0) return end(kept, isUndisputed);
    // One side changed what the other one removed.
    return end(this.#options.isForBase ? base : kept, false);
  }

  /** Two files of different kinds, such as a link and a plain one: one of them gets another path. */
  #decideKinds(entry: PathEntry, [base, one, other]: Three<FileVersion | undefined>): void {
    entry.isDone = true;
    entry.isClean = false;
    if (this.#options.isForBase || one === undefined || other === undefined) {
      entry.result = base;
      return;
    }
    const baseFor = (version: FileVersion) =>
      base !== undefined && kindOf(base) === kindOf(version) ? base : undefined;
    const { names } = this.#options;
    const hasPlain = kindOf(one) === plain || kindOf(other) === plain;
    const isOneMoved = kindOf(one) === plain || !hasPlain;
    const ofOne = isOneMoved ? this.#moved(entry.path, names.one) : entry;
    const ofOther = kindOf(one) !== plain ? this.#moved(entry.path, names.other) : entry;
    if (ofOne !== entry && ofOther !== entry) {
      entry.stages = [undefined, undefined, undefined];
      entry.isClean = true;
    }
    ofOne.stages = [baseFor(one), one, undefined];
    ofOne.result = one;
    ofOther.stages = [baseFor(other), undefined, other];
    ofOther.result = other;
    for (const each of [ofOne, ofOther]) this.#fill(each);
  }

  /** A path beside another one, which is still in conflict. */
  #moved(path: string, name: string): PathEntry {
    const moved = newEntry(this.#freePath(path, name), [undefined, undefined, undefined]);
    moved.isDone = true;
    this.#entries.set(moved.path, moved);
    return moved;
  }
}

const plain = "100";
