/** The periodic removal of sessions and codes that have ended. */

import type { Position } from "../../../domain/page.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { sessions, signInCodes } from "./records.ts";
import { liveSession } from "./service.ts";

const hourMs = 60 * 60_000;
const perStep = 50;

/** Sessions that have ended and codes that are too old no longer work; this removes them from the disk. */
export const sessionSweep: CronJob = {
  name: "session_sweep",
  schedule: { everyMs: hourMs },
  atStart: true,
  async run({ context, pace }) {
    let after: Position | undefined;
    do {
      after = sweepSessions(context, after);
      await pace();
    } while (after !== undefined);
    while (sweepCodes(context) === perStep) await pace();
  },
};

/** Returns where the next step goes on; undefined at the end. */
function sweepSessions(context: Context, after: Position | undefined): Position | undefined {
  const { store } = context;
  const page = { kind: "keyset", after, perPage: perStep } as const;
  const { items, next } = store.page(sessions, { where: [], order: "id", descending: false, page });
  const ended = items.filter((record) => liveSession(context, record) === undefined);
  if (ended.length > 0) {
    store.transact((tx) => {
      for (const { id } of ended) tx.remove(sessions, id);
    });
  }
  return next;
}

function sweepCodes({ store, clock }: Context): number {
  const where = [{ index: "expires_at", from: undefined, to: toDateTime(clock.now()) } as const];
  const page = { kind: "keyset", after: undefined, perPage: perStep } as const;
  const { items } = store.page(signInCodes, { where, order: "expires_at", descending: false, page });
  if (items.length > 0) {
    store.transact((tx) => {
      for (const { id } of items) tx.remove(signInCodes, id);
    });
  }
  return items.length;
}
