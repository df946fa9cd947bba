/** The periodic work that removes expired memberships. */

import { accessLevels } from "../../../domain/access-level.ts";
import { theServer } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, hasNoOwnerWithout } from "../../core/access/index.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { isPerson } from "./policy.ts";
import { isExpired, type MembershipRecord, memberships } from "./records.ts";
import { removeMembership } from "./service-memberships.ts";

/** Rows that go in one transaction: a fraction of a millisecond. */
const stepSize = 10;

/** Removes expired memberships; the last owner's row stays without effect (members-and-access 4.6). */
export const membershipExpiry: CronJob = {
  name: "expired memberships",
  schedule: daily,
  atStart: true,
  async run({ context, pace }) {
    const { store } = context;
    const access = context.get(Access);
    const ids = [...store.of(memberships).by.expires_at.between(undefined, access.today)];
    for (let start = 0; start < ids.length; start += stepSize) {
      const step = ids.slice(start, start + stepSize);
      store.transact((tx) => {
        for (const id of step) removeOver(tx, context, store.of(memberships).get(id));
      });
      await pace();
    }
  },
};

/** The row may have changed since it was listed. */
function removeOver(tx: Transaction, context: Context, row: MembershipRecord | undefined): void {
  if (row === undefined || !isExpired(row, context.get(Access).today) || isNeeded(context, row)) return;
  removeMembership(tx, context, theServer, row);
}

function isNeeded(context: Context, { source_type, source_id, user_id, access_level }: MembershipRecord): boolean {
  if (source_type === "project" || access_level < accessLevels.owner) return false;
  return hasNoOwnerWithout(context.store, source_id, user_id, context.get(Access).today, (id) => isPerson(context, id));
}
