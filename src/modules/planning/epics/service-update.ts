import type { SignedInCaller } from "../../../domain/caller.ts";
import { parseColor } from "../../../lib/color.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { datesIn, labelsOf, parentOf } from "./attributes.ts";
import { epicEvents } from "./events.ts";
import type { EpicRecord } from "./records.ts";
import type { EpicAttributes } from "./schema-parameters.ts";
import { requireValidEpic } from "./validation.ts";

/**
 * `PUT /groups/:id/epics/:epic_iid` (issues-labels-milestones-epics 6); what changes nothing is no change. Throws 400
 * for broken rules of the model, 404 for a parent that is hidden.
 */
export function updateEpic(
  context: Context,
  caller: SignedInCaller,
  epic: EpicRecord,
  params: EpicAttributes,
): EpicRecord {
  const parent_id = params.parent_id === epic.parent_id ? undefined : parentOf(context, caller, params.parent_id);
  const draft = {
    ...epic,
    title: params.title === undefined ? epic.title : (params.title ?? "").trim(),
    description: params.description === undefined ? epic.description : params.description,
    confidential: params.confidential ?? epic.confidential,
    color: params.color ?? epic.color,
    parent_id: parent_id === undefined ? epic.parent_id : parent_id,
    ...datesIn(params),
  };
  requireValidEpic(context, draft, epic);
  const now = toDateTime(context.clock.now());
  return context.store.transact((tx) => {
    const label_ids = labelsOf(tx, context, caller, epic.group_id, epic.label_ids, params) ?? epic.label_ids;
    const after = {
      ...draft,
      ...stateAfter(epic, params, now),
      color: parseColor(draft.color) ?? epic.color,
      label_ids,
    };
    return isSame(epic, after) ? epic : updateRecord(tx, context, caller, epicEvents, { ...after, updated_at: now });
  });
}

function stateAfter(
  { state, closed_at }: EpicRecord,
  { state_event }: EpicAttributes,
  now: string,
): Pick<EpicRecord, "state" | "closed_at"> {
  if (state_event === "close" && state === "opened") return { state: "closed", closed_at: now };
  if (state_event === "reopen" && state === "closed") return { state: "opened", closed_at: null };
  return { state, closed_at };
}

/** Attributes are texts, numbers and lists of numbers. */
function isSame(before: EpicRecord, after: EpicRecord): boolean {
  return (Object.keys(after) as (keyof EpicRecord)[]).every((name) => String(before[name]) === String(after[name]));
}
