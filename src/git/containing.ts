import { requestPace } from "../domain/work-budget.ts";
import { parentsOf } from "./history.ts";
import type { Commit } from "./objects/objects.ts";
import type { Repository } from "./repository.ts";

/** A commit whose parents are looked at one after the other. */
interface Opened {
  readonly oid: string;
  readonly parents: Commit[];
}

/** Tells which commits have another one in their history. No commit is walked twice, nor older ones than the one wanted. */
export class HistoriesWith {
  readonly #repository: Repository;
  readonly #wanted: Commit;
  readonly #known = new Map<string, boolean>();
  readonly #pace = requestPace();

  constructor(repository: Repository, wanted: Commit) {
    this.#repository = repository;
    this.#wanted = wanted;
  }

  /** Throws `OverBudget`. */
  async includes(head: Commit): Promise<boolean> {
    const line: Opened[] = [];
    let next: Commit | undefined = head;
    for (;;) {
      const known = next === undefined ? undefined : this.#find(next);
      if (known === true) {
        for (const { oid } of line) this.#known.set(oid, true);
        return true;
      }
      if (next !== undefined && known === undefined) {
        line.push({ oid: next.oid, parents: await parentsOf(this.#repository, next) });
      }
      const last = line.at(-1);
      if (last === undefined) return false;
      next = last.parents.pop();
      if (next !== undefined) continue;
      this.#known.set(last.oid, false);
      line.pop();
      await this.#pace();
    }
  }

  #find({ oid, committer }: Commit): boolean | undefined {
    if (oid === this.#wanted.oid) return true;
    return committer.timestamp < this.#wanted.committer.timestamp ? false : this.#known.get(oid);
  }
}
