/** Rows of rules: what requests say of them, and who may be named. */

import { Failure } from "../../../domain/failure.ts";
import { Access, linksInto } from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { AccessRow, RefAccessLevelRecord } from "./records.ts";
import { type NewRow, type RowChange, rowsMax } from "./schema.ts";

/** 422 with sentences, in a list. */
export function refusedRule(...message: string[]): Failure {
  return new Failure("unprocessable", { message });
}

const subjects = ["access_level", "user_id", "group_id", "deploy_key_id"] as const;

/** Throws 400 unless each element says one subject; one with an `id` may leave it out. */
export function requireSubjects(list: string, rows: readonly RowChange[] | undefined): void {
  for (const [index, row] of (rows ?? []).entries()) {
    const given = subjects.filter((name) => row[name] !== undefined);
    const names = (all: readonly string[]) => all.map((name) => `${list}[${index}][${name}]`).join(", ");
    if (given.length > 1) throw new Failure("parameters", { error: `${names(given)} are mutually exclusive` });
    if (given.length === 0 && row.id === undefined) {
      const error = `${names(subjects)} are missing, at least one parameter must be provided`;
      throw new Failure("parameters", { error });
    }
  }
}

/** The rows of a new rule: its level, and those of the list; without both, a level that stands in. */
export function rowsOfNew(
  level: AccessRow["access_level"] | undefined,
  list: readonly NewRow[] | undefined,
  fallback: AccessRow["access_level"] = null,
): AccessRow[] {
  const ofList = (list ?? []).map(rowOf);
  if (level !== undefined && level !== null) return [rowOf({ access_level: level }), ...ofList];
  return ofList.length === 0 && fallback !== null ? [rowOf({ access_level: fallback })] : ofList;
}

function rowOf({ access_level = null, user_id = null, group_id = null }: Partial<AccessRow>): AccessRow {
  return { access_level, user_id, group_id };
}

/** A list of rows after a change: those that stay, those that are new, and those that go. */
export interface ChangedRows {
  readonly kept: readonly RefAccessLevelRecord[];
  readonly added: readonly AccessRow[];
  readonly removed: readonly RefAccessLevelRecord[];
}

/** Throws 404 for an `id` that is not among the rows. */
export function changedRowsOf(
  before: readonly RefAccessLevelRecord[],
  changes: readonly RowChange[] | undefined,
  unknownRow: () => Failure,
): ChangedRows {
  const kept = new Map(before.map((row) => [row.id, row]));
  const added: AccessRow[] = [];
  const removed: RefAccessLevelRecord[] = [];
  for (const { id, _destroy, deploy_key_id: _, ...subject } of changes ?? []) {
    if (id === undefined) {
      if (_destroy !== true) added.push(rowOf(subject));
      continue;
    }
    const row = kept.get(id);
    if (row === undefined) throw unknownRow();
    if (_destroy === true) {
      kept.delete(id);
      removed.push(row);
    } else if (Object.keys(subject).length > 0) {
      kept.set(id, { ...row, ...rowOf(subject) });
    }
  }
  return { kept: [...kept.values()], added, removed };
}

/** Throws 422 with sentences for rows that a rule cannot have; `noun` begins each: `Push access levels`. */
export function requireRows(
  context: Context,
  project: ProjectRecord,
  rows: readonly AccessRow[],
  noun: string,
  options: { readonly allowsNobody?: boolean } = {},
): void {
  if (rows.length > rowsMax) throw refusedRule(`${noun} are too many (maximum is ${rowsMax})`);
  const problems = new Set<string>();
  const seen = new Set<string>();
  for (const row of rows) {
    const name = row.user_id !== null ? "user" : row.group_id !== null ? "group" : "access level";
    const key = `${name} ${row.user_id ?? row.group_id ?? row.access_level}`;
    if (seen.has(key)) problems.add(`${noun} ${name} has already been taken`);
    seen.add(key);
    if (row.access_level === 0 && options.allowsNobody === false) {
      problems.add(`${noun} access level is not included in the list`);
    }
    if (row.user_id !== null && !hasAccess(context, project, row.user_id)) {
      problems.add(`${noun} user is not a member of the project`);
    }
    if (row.group_id !== null && !isGroupIn(context, project, row.group_id)) {
      problems.add(`${noun} group does not have access to the project`);
    }
  }
  if (problems.size > 0) throw refusedRule(...problems);
}

/** Throws 422 for rows that name a deploy key: there are none. */
export function requireNoDeployKey(rows: readonly NewRow[] | undefined, noun: string): void {
  if (rows?.some(({ deploy_key_id }) => deploy_key_id !== undefined)) {
    throw refusedRule(`${noun} deploy key is not enabled for this project`);
  }
}

function hasAccess(context: Context, project: ProjectRecord, userId: number): boolean {
  if (findUser(context.store, userId) === undefined) return false;
  return context.get(Access).memberLevelInProject(userId, project) > 0;
}

/** A group that the project is in, or that was invited to it or to one of those. */
function isGroupIn(context: Context, project: ProjectRecord, groupId: number): boolean {
  const { store } = context;
  if (linksInto(context, { type: "project", id: project.id }).some(({ group_id }) => group_id === groupId)) return true;
  let above = store.of(groups).get(project.namespace_id);
  while (above !== undefined) {
    if (above.id === groupId) return true;
    if (linksInto(context, { type: "group", id: above.id }).some(({ group_id }) => group_id === groupId)) return true;
    above = above.parent_id === null ? undefined : store.of(groups).get(above.parent_id);
  }
  return false;
}
