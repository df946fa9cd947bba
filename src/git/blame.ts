/** Finds the commits that the lines of a file come from. */

import { requestPace, spend } from "../domain/work-budget.ts";
import type { Pace } from "../lib/yield.ts";
import { CommitQueue } from "./commit-queue.ts";
import { changedFiles, kindOf } from "./diff/changed-files.ts";
import { Content } from "./diff/content.ts";
import { changesOf, type LineChange, type LineRange } from "./diff/hunks.ts";
import { lineBreak } from "./diff/lines.ts";
import { withRenames } from "./diff/renames.ts";
import { takeCharged } from "./diff/tree-diff.ts";
import { parentsOf } from "./history.ts";
import type { Commit } from "./objects/objects.ts";
import type { Repository } from "./repository.ts";

/** Neighbouring lines of a file that one commit brought. */
export interface BlamedLines extends LineRange {
  readonly commit: Commit;
}

/** Some lines of the blamed file, and where they are in the file of a commit. */
interface Part extends LineRange {
  /** The place of the first one there. */
  readonly at: number;
}

/** A file of a commit that lines may come from. */
interface Origin {
  readonly commit: Commit;
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

interface Suspect extends Origin {
  readonly parts: Part[];
}

/** Blames the lines of a file, which has as many, as `git blame` does: renames are followed. Throws `OverBudget`. */
export async function blameLines(
  repository: Repository,
  head: Commit,
  path: string,
  lines: LineRange,
): Promise<BlamedLines[]> {
  const entry = await repository.entryAt(head.tree, path);
  if (entry === undefined) return [];
  const blame = new Blame(repository);
  await blame.run({ commit: head, path, mode: entry.mode, oid: entry.oid, parts: [{ ...lines, at: lines.start }] });
  return blame.result();
}

/** Bytes of a file that is compared. */
const fileBytesMax = 16 << 20;
/** Bytes of files whose renames are looked for at one commit. */
const renameBytesMax = 16 << 20;

class Blame {
  readonly #repository: Repository;
  readonly #pace: Pace = requestPace();
  readonly #waiting = new CommitQueue();
  /** By the commit, then by the path. */
  readonly #suspects = new Map<string, Map<string, Suspect>>();
  readonly #blamed: BlamedLines[] = [];
  /** Both sides of the last comparison: the next one often has one of them. */
  #files = new Map<string, Uint8Array>();

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  async run(first: Suspect): Promise<void> {
    this.#suspect(first, first.parts);
    for (let commit = this.#waiting.pop(); commit !== undefined; commit = this.#waiting.pop()) {
      const suspects = [...(this.#suspects.get(commit.oid)?.values() ?? [])];
      this.#suspects.delete(commit.oid);
      for (const suspect of suspects) {
        const own = await this.#passToParents(suspect);
        for (const { start, end } of own) this.#blamed.push({ start, end, commit });
      }
      const turn = this.#pace();
      if (turn !== true) await turn;
    }
  }

  /** The lines in order; those of one commit together. */
  result(): BlamedLines[] {
    const joined: BlamedLines[] = [];
    for (const lines of this.#blamed.sort((one, other) => one.start - other.start)) {
      const last = joined.at(-1);
      if (last?.commit.oid !== lines.commit.oid) joined.push(lines);
      else joined[joined.length - 1] = { ...last, end: lines.end };
    }
    return joined;
  }

  #suspect({ commit, path, mode, oid }: Origin, parts: readonly Part[]): void {
    if (parts.length === 0) return;
    const byPath = this.#suspects.get(commit.oid) ?? new Map<string, Suspect>();
    this.#suspects.set(commit.oid, byPath);
    const known = byPath.get(path);
    if (known !== undefined) known.parts.push(...parts);
    else byPath.set(path, { commit, path, mode, oid, parts: [...parts] });
    if (!this.#waiting.has(commit.oid)) this.#waiting.push(commit);
  }

  /** Returns the parts that no parent has. */
  async #passToParents(suspect: Suspect): Promise<readonly Part[]> {
    const origins: Origin[] = [];
    const without: Commit[] = [];
    const add = (origin: Origin) => {
      if (origins.every(({ oid }) => oid !== origin.oid)) origins.push(origin);
      return origin.oid === suspect.oid;
    };
    const parents = await parentsOf(this.#repository, suspect.commit);
    for (const parent of parents) {
      const entry = await this.#repository.entryAt(parent.tree, suspect.path);
      if (entry === undefined) without.push(parent);
      if (entry?.type !== "blob" || kindOf(entry) !== kindOf(suspect)) continue;
      const origin = { commit: parent, path: suspect.path, mode: entry.mode, oid: entry.oid };
      if (!add(origin)) continue;
      this.#suspect(origin, suspect.parts);
      return [];
    }
    for (const parent of without) {
      const origin = await this.#renamedFrom(parent, suspect);
      if (origin === undefined || !add(origin)) continue;
      this.#suspect(origin, suspect.parts);
      return [];
    }
    let parts: readonly Part[] = suspect.parts.sort((one, other) => one.at - other.at);
    for (const origin of origins.sort((one, other) => placeOf(parents, one) - placeOf(parents, other))) {
      if (parts.length > 0) parts = await this.#passUnchanged(suspect, origin, parts);
    }
    return parts;
  }

  /** The file of a parent that has become this one. */
  async #renamedFrom(parent: Commit, { commit, path }: Suspect): Promise<Origin | undefined> {
    const content = new Content(this.#repository, renameBytesMax);
    const files = [];
    for await (const file of changedFiles(this.#repository, parent.tree, commit.tree)) {
      if (file.after === undefined || file.path === path) files.push(file);
    }
    const found = await withRenames(files, (version) => content.read(version), this.#pace);
    const renamed = found.find((file) => file.path === path);
    if (renamed?.oldPath === undefined || renamed.before === undefined) return undefined;
    const { mode, oid } = renamed.before;
    return { commit: parent, path: renamed.oldPath, mode, oid };
  }

  /** Hands lines that a parent has, too, on to it, and returns the rest. */
  async #passUnchanged(suspect: Suspect, origin: Origin, parts: readonly Part[]): Promise<Part[]> {
    const [one, other] = [await this.#file(origin.oid), await this.#file(suspect.oid)];
    if (one === undefined || other === undefined) return [...parts];
    const [before, after] = withoutCommonEnd(one, other);
    const found = await takeCharged(changesOf(before, after), this.#pace);
    if (found === undefined) return [...parts];
    const { passed, kept } = divide(parts, found.changes);
    this.#suspect(origin, passed);
    return kept;
  }

  /** undefined for a file that is too large to be compared. */
  async #file(oid: string): Promise<Uint8Array | undefined> {
    const size = await this.#repository.blobSize(oid);
    if (size > fileBytesMax) return undefined;
    spend(size);
    const known = this.#files.get(oid) ?? (await this.#repository.blob(oid));
    const [last] = [...this.#files].slice(-1);
    this.#files = new Map([...(last === undefined ? [] : [last]), [oid, known]]);
    return known;
  }
}

function placeOf(parents: readonly Commit[], { commit }: Origin): number {
  return parents.indexOf(commit);
}

/** Bytes that git compares at a time, from the end. */
const blockBytes = 1_024;

/** Leaves out what is equal at the end, as git does where it wants no context, but for one line or so. */
function withoutCommonEnd(before: Uint8Array, after: Uint8Array): [Uint8Array, Uint8Array] {
  const shorter = Math.min(before.length, after.length);
  const [one, other] = [Buffer.from(before.buffer, before.byteOffset, before.length), after];
  let cut = 0;
  while (cut + blockBytes <= shorter) {
    const [from, to] = [cut + blockBytes, cut];
    const start = other.length - from;
    if (one.compare(other, start, other.length - to, one.length - from, one.length - to) !== 0) break;
    cut += blockBytes;
  }
  if (cut > 0) {
    const found = one.indexOf(lineBreak, one.length - cut);
    cut = found === -1 ? 0 : one.length - found - 1;
  }
  return [before.subarray(0, before.length - cut), after.subarray(0, after.length - cut)];
}

/** Divides parts, by their places, into those that changes leave as they were and those that they made. */
function divide(parts: readonly Part[], changes: readonly LineChange[]): { passed: Part[]; kept: Part[] } {
  const passed: Part[] = [];
  const kept: Part[] = [];
  let first = 0;
  for (const part of parts) {
    // Parts may overlap: merges bring the same lines on two ways.
    while ((changes[first]?.after.end ?? Number.POSITIVE_INFINITY) <= part.at) first += 1;
    let { start, at } = part;
    for (let next = first; start < part.end; ) {
      const change = changes[next];
      const isChanged = change !== undefined && change.after.start <= at;
      const limit = change === undefined ? Number.POSITIVE_INFINITY : isChanged ? change.after.end : change.after.start;
      const count = Math.min(part.end - start, limit - at);
      const before = changes[next - 1];
      const moved = before === undefined ? 0 : before.before.end - before.after.end;
      if (count > 0) (isChanged ? kept : passed).push({ start, end: start + count, at: isChanged ? at : at + moved });
      start += count;
      at += count;
      if (isChanged && at >= limit) next += 1;
    }
  }
  return { passed, kept };
}
