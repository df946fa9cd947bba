import { Painting, type Reading, requestBounds } from "./ancestry.ts";
import { readLinked } from "./history.ts";
import type { Commit } from "./objects/objects.ts";
import type { Repository } from "./repository.ts";

const [ofWanted, ofHead] = [1n, 2n];

/**
 * Tells which commits have another one in their history. No commit is walked twice. One on the way to the wanted commit is no
 * ancestor of it: a walk ends where all are.
 */
export class HistoriesWith {
  readonly #repository: Repository;
  readonly #wanted: Commit;
  /** Whether they lead to the wanted commit. */
  readonly #known = new Map<string, boolean>();
  /** Ancestors of the wanted commit, and what was walked from heads. */
  readonly #painting = new Painting((colours) => colours === ofHead);

  constructor(repository: Repository, wanted: Commit) {
    this.#repository = repository;
    this.#wanted = wanted;
    this.#known.set(wanted.oid, true);
  }

  /** Throws `OverBudget`. */
  includes(head: Commit): Promise<boolean> {
    return readLinked(this.#repository, this.#walkFrom(head.oid));
  }

  *#walkFrom(head: string): Reading<boolean> {
    const known = this.#known.get(head);
    if (known !== undefined) return known;
    const painting = this.#painting;
    yield* painting.paint(this.#wanted.oid, ofWanted);
    yield* painting.paint(head, ofHead);
    const children = new Map<string, string[]>();
    let doubted = 0;
    while (painting.open.size > 0 && doubted <= requestBounds.doubtedMax) {
      const commit = painting.next();
      if (commit === undefined) break;
      doubted += commit.time < this.#wanted.committer.timestamp ? 1 : 0;
      const colours = painting.coloursOf(commit.oid);
      if (colours === ofHead) this.#known.set(commit.oid, false);
      for (const parent of commit.parents) {
        if (colours === ofHead) children.set(parent, [...(children.get(parent) ?? []), commit.oid]);
        if (!this.#known.has(parent) || colours !== ofHead) yield* painting.paint(parent, colours);
      }
    }
    this.#noteAbove(children);
    return this.#known.get(head) === true;
  }

  /** Notes those that lead to a commit that leads to the wanted one. */
  #noteAbove(children: ReadonlyMap<string, readonly string[]>): void {
    const waiting = [...children.keys()].filter((oid) => this.#known.get(oid) === true);
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      for (const child of children.get(oid) ?? []) {
        if (this.#known.get(child) === true) continue;
        this.#known.set(child, true);
        waiting.push(child);
      }
    }
  }
}
