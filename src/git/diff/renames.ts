/** Finds the removed files that are still there under other paths, as git does. */

import { type Pace, takeSteps } from "../../lib/yield.ts";
import { type ChangedFile, type FileVersion, kindOf } from "./changed-files.ts";
import { isBinary } from "./lines.ts";
import { type Fingerprint, fingerprintOf, renamedScore, scoreMax, scoreOf } from "./similarity.ts";

/** Reads a file; undefined for one that is too large to be compared. */
export type ReadFile = (version: FileVersion) => Promise<Uint8Array | undefined>;

/** A removed or an added file. */
export interface Half {
  readonly path: string;
  readonly version: FileVersion;
}

/** A file that is the only one of its name on its side takes this much likeness, where the other side has one of it. */
export const sameNameScore = renamedScore + (scoreMax - renamedScore) / 2;
/** Pairs of files among which git looks for likeness: where there are more, only files that did not change count as renamed. */
const pairsMax = 1_000_000;
/** Pieces of files that are compared; after that, no more renamed files are found. */
const comparisonsMax = 20_000_000;
/** For each added file, this many of the likest removed ones count. */
const candidatesMax = 4;

/** Joins the halves of renamed files: first of those that did not change, then of those that are alike. */
export async function withRenames(
  files: readonly ChangedFile[],
  read: ReadFile,
  pace: Pace,
): Promise<readonly ChangedFile[]> {
  const sources = files.flatMap(({ path, before, after }) =>
    before !== undefined && after === undefined ? [{ path, version: before }] : [],
  );
  const targets = files.flatMap(({ path, before, after }) =>
    after !== undefined && before === undefined ? [{ path, version: after }] : [],
  );
  if (sources.length === 0 || targets.length === 0) return files;
  const found = new Map<Half, Half>();
  pairUnchanged(sources, targets, found);
  const free = () => {
    const used = new Set(found.values());
    return {
      from: sources.filter((half) => !used.has(half) && isPlain(half)),
      to: targets.filter((half) => !found.has(half) && isPlain(half)),
    };
  };
  if (free().from.length * free().to.length <= pairsMax) {
    const likeness = new Likeness(read, pace);
    await pairSameNames(free(), likeness, found);
    await pairLikest(free(), likeness, found);
  }
  const byPath = new Map([...found].map(([target, source]) => [target.path, source]));
  const gone = new Set([...found.values()].map(({ path }) => path));
  return files.flatMap((file) => {
    if (file.after === undefined) return gone.has(file.path) ? [] : [file];
    const source = file.before === undefined ? byPath.get(file.path) : undefined;
    return [source === undefined ? file : { ...file, oldPath: source.path, before: source.version }];
  });
}

const plain = "100";

/** Whether a file is neither a link nor a submodule. */
export function isPlain({ version }: Half): boolean {
  return kindOf(version) === plain;
}

/** Pairs files that did not change. */
export function pairUnchanged(sources: readonly Half[], targets: readonly Half[], found: Map<Half, Half>): void {
  const keyOf = ({ version }: Half) => `${kindOf(version)} ${version.oid}`;
  const byContent = Map.groupBy(sources, keyOf);
  for (const target of targets) {
    const same = byContent.get(keyOf(target)) ?? [];
    const at = same.findIndex(({ path }) => nameOf(path) === nameOf(target.path));
    const [source] = same.splice(Math.max(at, 0), 1);
    if (source !== undefined) found.set(target, source);
  }
}

interface Free {
  readonly from: readonly Half[];
  readonly to: readonly Half[];
}

async function pairSameNames({ from, to }: Free, likeness: Likeness, found: Map<Half, Half>): Promise<void> {
  const sources = Map.groupBy(from, ({ path }) => nameOf(path));
  const targets = Map.groupBy(to, ({ path }) => nameOf(path));
  for (const [name, [target, anotherTarget]] of targets) {
    const [source, anotherSource] = sources.get(name) ?? [];
    if (target === undefined || source === undefined) continue;
    if (anotherTarget !== undefined || anotherSource !== undefined) continue;
    if ((await likeness.scoreOf(source, target)) >= sameNameScore) found.set(target, source);
  }
}

/** Pairs files that are alike, the likest first. */
export async function pairLikest({ from, to }: Free, likeness: Likeness, found: Map<Half, Half>): Promise<void> {
  const all: { target: Half; source: Half; score: number; isSameName: boolean }[] = [];
  const index = await likeness.indexOf(from);
  for (const target of to) {
    const scores = await likeness.scoresOf(index, target);
    const candidates: typeof all = [];
    for (const source of from) {
      const score = scores.get(source) ?? 0;
      if (score < renamedScore) continue;
      candidates.push({ target, source, score, isSameName: nameOf(source.path) === nameOf(target.path) });
    }
    all.push(...candidates.sort(byScore).slice(0, candidatesMax));
  }
  const used = new Set<Half>();
  for (const { target, source } of all.sort(byScore)) {
    if (found.has(target) || used.has(source)) continue;
    found.set(target, source);
    used.add(source);
  }
}

interface Scored {
  readonly score: number;
  readonly isSameName: boolean;
}

function byScore(one: Scored, other: Scored): number {
  return other.score - one.score || Number(other.isSameName) - Number(one.isSameName);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

interface Measured {
  readonly bytes: number;
  readonly pieces: Fingerprint;
}

/** The files that have a piece. */
type PieceIndex = ReadonlyMap<string, readonly { readonly half: Half; readonly bytes: number }[]>;

/** The likeness of files, each read once. */
export class Likeness {
  readonly #read: ReadFile;
  readonly #pace: Pace;
  readonly #measured = new Map<string, Measured | undefined>();
  #comparisons = 0;

  constructor(read: ReadFile, pace: Pace) {
    this.#read = read;
    this.#pace = pace;
  }

  /** 0 for files of which one cannot be read, or is empty. */
  async scoreOf(source: Half, target: Half): Promise<number> {
    return (await this.scoresOf(await this.indexOf([source]), target)).get(source) ?? 0;
  }

  async indexOf(sources: readonly Half[]): Promise<PieceIndex> {
    const index = new Map<string, { half: Half; bytes: number }[]>();
    for (const half of sources) {
      const { pieces } = (await this.#measure(half)) ?? { pieces: new Map() };
      for (const [piece, bytes] of pieces) {
        const known = index.get(piece);
        if (known === undefined) index.set(piece, [{ half, bytes }]);
        else known.push({ half, bytes });
      }
      await this.#pace();
    }
    return index;
  }

  /** The scores of the files in an index that have something in common with the target. */
  async scoresOf(index: PieceIndex, target: Half): Promise<ReadonlyMap<Half, number>> {
    const after = await this.#measure(target);
    const common = new Map<Half, number>();
    for (const [piece, bytes] of after?.pieces ?? []) {
      const holders = index.get(piece) ?? [];
      this.#comparisons += holders.length;
      if (this.#comparisons > comparisonsMax) return new Map();
      for (const { half, bytes: own } of holders) common.set(half, (common.get(half) ?? 0) + Math.min(own, bytes));
      await this.#pace();
    }
    for (const [half, bytes] of common) {
      const before = await this.#measure(half);
      common.set(half, before === undefined || after === undefined ? 0 : scoreOf(bytes, before.bytes, after.bytes));
    }
    return common;
  }

  async #measure({ version }: Half): Promise<Measured | undefined> {
    if (this.#measured.has(version.oid)) return this.#measured.get(version.oid);
    const bytes = await this.#read(version);
    const measured =
      bytes === undefined
        ? undefined
        : { bytes: bytes.length, pieces: await takeSteps(fingerprintOf(bytes, !isBinary(bytes)), this.#pace) };
    this.#measured.set(version.oid, measured);
    return measured;
  }
}
