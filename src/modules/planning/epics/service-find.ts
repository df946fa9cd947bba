import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { canReadEpic } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import { iidKey } from "../issues/records.ts";
import { type EpicRecord, epics } from "./records.ts";

/** The epic of this number in the group, when the caller may read it; 404 `Epic Not Found`. */
export function getEpic(context: Context, caller: Caller, group: GroupRecord, iid: number): EpicRecord {
  return readable(context, caller, context.store.of(epics).by.iid.find(iidKey(group.id, iid)));
}

/** Finds an epic by its id in any group, as `getEpic` finds it in one. */
export function getEpicById(context: Context, caller: Caller, id: number): EpicRecord {
  return readable(context, caller, id);
}

function readable(context: Context, { user }: Caller, id: number | undefined): EpicRecord {
  const epic = id === undefined ? undefined : context.store.of(epics).get(id);
  if (epic === undefined || !canReadEpic(context, user, epic)) throw notFound("Epic");
  return epic;
}
