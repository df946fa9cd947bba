import type { Commit } from "./objects/objects.ts";
import { TimeQueue } from "./packing/time-queue.ts";

/** Commits of one second, in the order in which they came. */
interface Second {
  readonly commits: Commit[];
  next: number;
}

/** The commits that a walk comes to, the newest first; of equals, the one that came first. */
export class CommitQueue {
  readonly #seconds = new Map<number, Second>();
  readonly #times = new TimeQueue<number>();
  readonly #waiting = new Set<string>();

  /** Whether a commit waits. */
  has(oid: string): boolean {
    return this.#waiting.has(oid);
  }

  push(commit: Commit): void {
    const { timestamp } = commit.committer;
    this.#waiting.add(commit.oid);
    const second = this.#seconds.get(timestamp);
    if (second !== undefined) second.commits.push(commit);
    else {
      this.#seconds.set(timestamp, { commits: [commit], next: 0 });
      this.#times.push(timestamp, timestamp);
    }
  }

  pop(): Commit | undefined {
    const time = this.#times.pop();
    const second = time === undefined ? undefined : this.#seconds.get(time);
    if (time === undefined || second === undefined) return undefined;
    const commit = second.commits[second.next] as Commit;
    second.next += 1;
    if (second.next === second.commits.length) this.#seconds.delete(time);
    else this.#times.push(time, time);
    this.#waiting.delete(commit.oid);
    return commit;
  }
}
