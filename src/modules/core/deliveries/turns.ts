/** The order in which deliveries that are due are sent. */

import type { Store } from "../../../store/index.ts";
import { type DeliveryRecord, deliveries, type TurnParts, turnRange } from "./records.ts";

/** A group of deliveries that had its turn: the name of its line, and the key behind the group. */
type Mark = readonly [line: string, behind: string];

interface Turn {
  readonly delivery: DeliveryRecord;
  readonly marks: readonly Mark[];
}

interface Freedom {
  isLaneFree(lane: string): boolean;
  isFree(delivery: DeliveryRecord): boolean;
}

/** More marks are forgotten: lanes of hooks that were deleted would stay for ever. */
const marksMax = 10_000;

/** Each lane in turn; in a lane the first queue first, and in a queue each cause in turn: nobody waits behind the many of one. */
export class DeliveryTurns {
  readonly #store: Store;
  readonly #marks = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The next delivery of a kind that is due and may go. undefined: there is none. */
  next(kind: string, now: string, freedom: Freedom): DeliveryRecord | undefined {
    const turn = this.#inTurn([kind], "lane", (lane) => {
      const found = freedom.isLaneFree(lane) ? this.#nextInLane(kind, lane, now) : undefined;
      return found !== undefined && freedom.isFree(found.delivery) ? found : undefined;
    });
    if (this.#marks.size > marksMax) this.#marks.clear();
    for (const [line, behind] of turn?.marks ?? []) this.#marks.set(line, behind);
    return turn?.delivery;
  }

  #nextInLane(kind: string, lane: string, now: string): Turn | undefined {
    for (const queue of this.#groups([kind, lane], "queue")) {
      const found = this.#inTurn([kind, lane, queue], "cause", (cause) => {
        const delivery = this.#firstBehind(turnRange(kind, lane, queue, cause)[0]);
        return delivery !== undefined && delivery.due_at <= now ? { delivery, marks: [] } : undefined;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first turn that `find` finds in the groups below a prefix, beginning behind the group that had its turn last. */
  #inTurn(prefix: TurnParts, part: "lane" | "cause", find: (group: string) => Turn | undefined): Turn | undefined {
    const [start] = turnRange(...prefix);
    const last = this.#marks.get(start) ?? start;
    for (const [from, until] of [[last], [start, last]] as const) {
      for (const group of this.#groups(prefix, part, from)) {
        const [, behind] = turnRange(...withPart(prefix, group));
        if (until !== undefined && behind > until) break;
        const found = find(group);
        if (found !== undefined) return { ...found, marks: [...found.marks, [start, behind]] };
      }
    }
    return undefined;
  }

  /** The values of the next part of the keys below a prefix: each once, whatever has it. */
  *#groups(prefix: TurnParts, part: "lane" | "queue" | "cause", from = turnRange(...prefix)[0]): Generator<string> {
    const [, end] = turnRange(...prefix);
    for (let behind = from; ; ) {
      const first = this.#firstBehind(behind);
      if (first === undefined || turnRange(first.kind, first.lane, first.queue, first.cause)[0] >= end) return;
      yield first[part];
      [, behind] = turnRange(...withPart(prefix, first[part]));
    }
  }

  #firstBehind(key: string): DeliveryRecord | undefined {
    const documents = this.#store.of(deliveries);
    const [id] = documents.by.turn.walk(false, { key, id: Number.MAX_SAFE_INTEGER });
    return id === undefined ? undefined : documents.get(id);
  }
}

function withPart(prefix: TurnParts, part: string): TurnParts {
  return [...prefix, part] as unknown as TurnParts;
}
