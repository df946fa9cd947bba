import { dayMs } from "../lib/datetime.ts";
import type { Organisation, SeededProject } from "./organisation.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Chooses random projects for events, busy ones more often. The times must ascend. */
export class ProjectDraw {
  readonly #random: SeededRandom;
  /** The projects in the order of their start. */
  readonly #all: readonly SeededProject[];
  readonly #begun: SeededProject[] = [];
  /** The cumulated weights of those projects. */
  readonly #sums: number[] = [];
  readonly #archivedAfter: number;

  constructor(
    { projects, from, until }: Organisation,
    random: SeededRandom,
    isWanted: (project: SeededProject) => boolean = () => true,
  ) {
    this.#random = random;
    this.#all = projects.filter(isWanted).sort((one, other) => one.since - other.since);
    this.#archivedAfter = from + 0.5 * (until - from);
  }

  at(time: number): SeededProject {
    for (let next = this.#all[this.#begun.length]; next !== undefined; next = this.#all[this.#begun.length]) {
      if (next.since + 2 * dayMs > time && this.#begun.length > 0) break;
      this.#sums.push((this.#sums.at(-1) ?? 0) + next.weight);
      this.#begun.push(next);
    }
    for (;;) {
      const project = this.#begun[this.#placeOf(this.#random.fraction() * (this.#sums.at(-1) as number))];
      if (project === undefined) throw new Error("there is no project yet");
      if (!project.isArchived || time < this.#archivedAfter) return project;
    }
  }

  /** Returns the first index whose sum is larger, by binary search. */
  #placeOf(sum: number): number {
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] as number) > sum) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
