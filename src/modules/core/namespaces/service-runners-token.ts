import { digestOf } from "../../../lib/token-digest.ts";
import type { Store } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";

/** The prefix of registration tokens in the real system. */
const prefix = "GR1348941";

/**
 * The registration token of a group or project, as people see it. It says whose it is, so that nobody has to search for
 * what is secret in it.
 */
export function shownRunnersToken(of: { readonly group: GroupRecord } | { readonly project: ProjectRecord }): string {
  const [letter, { id, runners_token }] = "group" in of ? ["g", of.group] : ["p", of.project];
  return `${prefix}${letter}${id}_${runners_token}`;
}

/** The group or project that a registration token as sent was made for. */
export function findByRunnersToken(
  store: Store,
  token: string,
): { readonly group: GroupRecord } | { readonly project: ProjectRecord } | undefined {
  const [, letter, id, secret] = new RegExp(`^${prefix}([gp])(\\d{1,15})_(.+)$`).exec(token) ?? [];
  if (letter === undefined || secret === undefined) return undefined;
  const isIts = (record: GroupRecord | ProjectRecord | undefined) =>
    record !== undefined && digestOf(record.runners_token) === digestOf(secret);
  if (letter === "g") {
    const group = store.of(groups).get(Number(id));
    return group !== undefined && isIts(group) ? { group } : undefined;
  }
  const project = store.of(projects).get(Number(id));
  return project !== undefined && isIts(project) ? { project } : undefined;
}
