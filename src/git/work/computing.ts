/** Questions about a repository whose answers may take long: a thread answers those that would hold up others. */

import { WorkBudget, withBudget, withinSteps } from "../../domain/work-budget.ts";
import type { Reader } from "../../lib/reader-queue.ts";
import { type BlamedLines, blameLines } from "../blame.ts";
import type { LineRange } from "../diff/hunks.ts";
import { type DiffLimits, diffTrees, type TreeDiff } from "../diff/tree-diff.ts";
import type { MergeNames } from "../merge/merge-files.ts";
import { type MergedTrees, type MergeResult, mergeTrees } from "../merge/merge-trees.ts";
import { ObjectCache } from "../objects/cache.ts";
import { ObjectReader } from "../objects/objects.ts";
import { RefFiles } from "../ref-files.ts";
import { Refs } from "../refs.ts";
import { Repository } from "../repository.ts";
import { ownerOf } from "./owner.ts";
import type { PackThreads } from "./pool.ts";

/** The changes between two trees; undefined is the empty one. */
export interface DiffQuestion {
  readonly kind: "diff";
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limits: DiffLimits;
}

/** The commits that lines of a file come from. */
export interface BlameQuestion {
  readonly kind: "blame";
  /** Id of the commit that the file is in. */
  readonly head: string;
  readonly path: string;
  readonly lines: LineRange;
}

/** The result of a merge of two sides of a tree. */
export interface MergeQuestion extends MergedTrees {
  readonly kind: "merge";
  /** The sides in conflicts. */
  readonly names: MergeNames;
}

export type Question = DiffQuestion | BlameQuestion | MergeQuestion;
export type Answer = TreeDiff | BlamedLines[] | MergeResult;

export type QuestionOrder = Question & { readonly folder: string };

/** The reader who waits for an answer, until the client is gone. */
export interface Asker {
  readonly reader: Reader;
  readonly gone: AbortSignal;
}

/** Steps of an answer that is worked out here; and of one in a thread, which is ten seconds of work or so. */
const [stepsHere, stepsInThread] = [2_000_000, 300_000_000];

/** Answers questions about repositories. */
export class Computing {
  readonly #threads: PackThreads;

  constructor(threads: PackThreads) {
    this.#threads = threads;
  }

  /** Compares two trees. Throws `OverBudget`, and 503 when all threads stay busy. */
  diff(repository: Repository, question: Omit<DiffQuestion, "kind">, asker: Asker): Promise<TreeDiff> {
    return this.#answer(repository, { kind: "diff", ...question }, asker) as Promise<TreeDiff>;
  }

  /** Blames lines. Throws as `diff`. */
  blame(repository: Repository, question: Omit<BlameQuestion, "kind">, asker: Asker): Promise<BlamedLines[]> {
    return this.#answer(repository, { kind: "blame", ...question }, asker) as Promise<BlamedLines[]>;
  }

  /** Merges trees; nothing is written. Throws as `diff`, and 413. */
  merge(repository: Repository, question: Omit<MergeQuestion, "kind">, asker: Asker): Promise<MergeResult> {
    return this.#answer(repository, { kind: "merge", ...question }, asker) as Promise<MergeResult>;
  }

  async #answer(repository: Repository, question: Question, { reader, gone }: Asker): Promise<Answer> {
    const found = await withinSteps(stepsHere, () => answer(repository, question));
    if (found !== undefined) return found;
    return this.#threads.compute({ ...question, folder: repository.folder }, ownerOf(reader), gone);
  }
}

/** Answers a question in a thread. Throws `OverBudget`. */
export function answerInThread({ folder, ...question }: QuestionOrder): Promise<Answer> {
  const objects = new ObjectReader(folder, new ObjectCache(), async () => {});
  const repository = new Repository(objects, new Refs(folder, new RefFiles()));
  return withBudget(new WorkBudget(stepsInThread), () => answer(repository, question));
}

async function answer(repository: Repository, question: Question): Promise<Answer> {
  if (question.kind === "diff") return diffTrees(repository, question, question.limits);
  if (question.kind === "merge") return mergeTrees(repository, question, question.names);
  const head = await repository.commitOf(question.head);
  return head === undefined ? [] : blameLines(repository, head, question.path, question.lines);
}
