/** The rules about the attributes of epics. */

import { invalid } from "../../../domain/failure.ts";
import { parseColor } from "../../../lib/color.ts";
import type { Context } from "../../kernel/context.ts";
import { textErrors } from "../issues/index.ts";
import { type EpicRecord, epics } from "./records.ts";

/** An epic, those above it and those below it: how deep a tree may be. */
const depthMax = 7;

/** The attributes that the rules of the model check. */
export type EpicDraft = Pick<EpicRecord, "title" | "description" | "color" | "parent_id">;

/**
 * Throws 400 with every broken rule of the model. `before` is the epic as it stands, when there is one: it cannot come
 * below itself.
 */
export function requireValidEpic(context: Context, draft: EpicDraft, before?: EpicRecord): void {
  const errors = textErrors(draft);
  if (parseColor(draft.color) === undefined) errors.color = ["must be a valid color code"];
  const parent = draft.parent_id === (before?.parent_id ?? null) ? undefined : parentError(context, draft, before);
  if (parent !== undefined) errors.parent = [parent];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Whether a new epic may be below another one. */
export function hasRoomBelow(context: Context, parentId: number): boolean {
  return parentError(context, { parent_id: parentId }, undefined) === undefined;
}

function parentError(
  { store }: Context,
  { parent_id }: Pick<EpicDraft, "parent_id">,
  before: EpicRecord | undefined,
): string | undefined {
  const above: number[] = [];
  for (let at = parent_id; at !== null; at = store.of(epics).get(at)?.parent_id ?? null) above.push(at);
  if (before !== undefined && above.includes(before.id)) return "cannot be the epic itself or one below it";
  const levels = above.length + (before === undefined ? 1 : levelsBelow(store, before.id));
  return levels > depthMax ? `is too deep (maximum is ${depthMax} levels)` : undefined;
}

/** The epic itself is one. */
function levelsBelow(store: Context["store"], id: number): number {
  let level = [id];
  let count = 0;
  for (; level.length > 0; count += 1) level = level.flatMap((each) => [...store.of(epics).by.parent_id.find(each)]);
  return count;
}
