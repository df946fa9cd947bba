import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { parseColor } from "../../../lib/color.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { upsertSubscription } from "../subscriptions/index.ts";
import { datesIn, labelsOf, parentOf } from "./attributes.ts";
import { epicEvents } from "./events.ts";
import { type EpicRecord, epics } from "./records.ts";
import type { CreateEpic } from "./schema-parameters.ts";
import { requireValidEpic } from "./validation.ts";

const initialColor = "#1068bf";

/**
 * `POST /groups/:id/epics` (issues-labels-milestones-epics 6). Throws 400 for broken rules of the model, 404 for a
 * parent that is hidden.
 */
export function createEpic(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  params: Static<typeof CreateEpic>,
): EpicRecord {
  const { description = null, confidential = false, color = initialColor } = params;
  const title = params.title.trim();
  const parent_id = parentOf(context, caller, params.parent_id) ?? null;
  requireValidEpic(context, { title, description, color, parent_id });
  const now = toDateTime(context.clock.now());
  const isHeardOfTime = context.get(Access).levelInGroup(caller.user, group.id) >= accessLevels.owner;
  return context.store.transact((tx) => {
    const label_ids = labelsOf(tx, context, caller, group.id, [], params) ?? [];
    const created_at = (isHeardOfTime ? params.created_at : undefined) ?? now;
    const texts = { title, description, confidential, parent_id, color: parseColor(color) ?? initialColor };
    const dates = datesIn(params);
    return insertEpic(tx, context, caller, { group_id: group.id, ...texts, ...dates, label_ids, created_at });
  });
}

/** The attributes that a new epic must have. */
type NewEpic = Pick<EpicRecord, "group_id" | "title" | "description" | "confidential" | "parent_id" | "label_ids"> &
  Partial<EpicRecord>;

/** Creates an epic of the caller in the transaction of the change. The attributes are valid. */
export function insertEpic(tx: Transaction, context: Context, caller: SignedInCaller, attributes: NewEpic): EpicRecord {
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  const epic = tx.insert(epics, {
    state: "opened",
    start_date_is_fixed: false,
    start_date_fixed: null,
    due_date_is_fixed: false,
    due_date_fixed: null,
    color: initialColor,
    created_at: now,
    ...attributes,
    id: tx.nextId("epics"),
    iid: nextEpicIid(tx, attributes.group_id),
    author_id: caller.user.id,
    updated_at: now,
    closed_at: null,
    upvotes: 0,
    downvotes: 0,
  });
  upsertSubscription(tx, store, { type: "Epic", id: epic.id }, caller.user.id, true);
  publish(tx, context, epicEvents.created, { caller, before: undefined, after: epic });
  return epic;
}

/** Returns the next number of an epic; each group counts from 1, and no number is used again. */
export function nextEpicIid(tx: Transaction, groupId: number): number {
  return tx.nextId(`epics of group ${groupId}`);
}
