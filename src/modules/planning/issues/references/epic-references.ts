/** References to epics in arguments: `&3`, `cars&3`, and the address of the epic's page. */

import type { Store } from "../../../../store/index.ts";
import { sourcesAbove } from "../../../core/access/index.ts";
import { findGroupByPath } from "../../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type EpicRecord, epics } from "../../epics/records.ts";
import { iidKey } from "../records.ts";

const referenceLengthMax = 1_000;

/** The epic of a reference. Without the path of a group, it is one above the project. Rights are not checked. */
export function findEpicByReference(
  { store, mailBaseUrl }: Pick<Context, "store" | "mailBaseUrl">,
  project: ProjectRecord,
  reference: string,
): EpicRecord | undefined {
  if (reference.length > referenceLengthMax) return undefined;
  const written = reference.trim();
  const isAddress = mailBaseUrl !== undefined && written.startsWith(`${mailBaseUrl}/`);
  const short = isAddress ? written.slice(mailBaseUrl.length + 1) : written;
  const pattern = isAddress ? /^groups\/([\w./-]+)\/-\/epics\/(\d{1,10})$/ : /^([\w./-]*)&(\d{1,10})$/;
  const [, path = "", number] = pattern.exec(short) ?? [];
  if (number === undefined) return undefined;
  if (path === "") return findEpicOfNumber(store, project, Number(number));
  const group = findGroupByPath(store, path);
  return group === undefined ? undefined : epicIn(store, group.id, Number(number));
}

/** The epic of a number in the nearest group above the project that has it. */
export function findEpicOfNumber(store: Store, project: ProjectRecord, iid: number): EpicRecord | undefined {
  for (const { type, id } of sourcesAbove(store, project)) {
    const epic = type === "group" ? epicIn(store, id, iid) : undefined;
    if (epic !== undefined) return epic;
  }
  return undefined;
}

function epicIn(store: Store, groupId: number, iid: number): EpicRecord | undefined {
  const id = store.of(epics).by.iid.find(iidKey(groupId, iid));
  return id === undefined ? undefined : store.of(epics).get(id);
}
