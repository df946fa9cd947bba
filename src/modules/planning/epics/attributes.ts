/** The attributes of an epic in a request. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, groupsAbove } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { resolveLabels } from "../labels/index.ts";
import { remainingIds } from "../pending-unlinks/index.ts";
import type { EpicRecord } from "./records.ts";
import type { EpicAttributes } from "./schema-parameters.ts";
import { getEpicById } from "./service-find.ts";

type Dates = Pick<EpicRecord, "start_date_is_fixed" | "start_date_fixed" | "due_date_is_fixed" | "due_date_fixed">;

/** The dates that the parameters say something about. */
export function datesIn(params: EpicAttributes): Partial<Dates> {
  const { start_date_is_fixed, start_date_fixed, due_date_is_fixed, due_date_fixed } = params;
  return {
    ...(start_date_is_fixed === undefined ? {} : { start_date_is_fixed }),
    ...(start_date_fixed === undefined ? {} : { start_date_fixed }),
    ...(due_date_is_fixed === undefined ? {} : { due_date_is_fixed }),
    ...(due_date_fixed === undefined ? {} : { due_date_fixed }),
  };
}

/** undefined: nothing was said. A title that neither the group nor one above it knows becomes a label of the group. */
export function labelsOf(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  groupId: number,
  present: readonly number[],
  params: EpicAttributes,
): readonly number[] | undefined {
  const places = groupsAbove(context.store, groupId) as [SourceRef];
  return resolveLabels(tx, context, caller, places, remainingIds(context.store, "label", present), params, true);
}

/** The epic that is to be the parent; null: none, undefined: nothing was said. Throws 404 for one that is hidden, 403 below planner in its group. */
export function parentOf(
  context: Context,
  caller: SignedInCaller,
  id: number | null | undefined,
): number | null | undefined {
  if (id === undefined) return undefined;
  if (id === null || id === 0) return null;
  const parent = getEpicById(context, caller, id);
  if (context.get(Access).levelInGroup(caller.user, parent.group_id) < accessLevels.planner) throw forbidden();
  return parent.id;
}
