import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { conflict, forbidden, notFoundLowerCase, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { compareText } from "../../../lib/text/unicode.ts";
import type { Transaction } from "../../../store/index.ts";
import { canReadCode } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { recordRuleEvent } from "./audit.ts";
import { canUnprotect } from "./policy.ts";
import {
  type AccessKind,
  type AccessRow,
  accessKinds,
  branchRulesOf,
  nameInProject,
  protectedBranches,
  refAccessLevels,
  rowsInProjectMax,
  rulesMax,
  StoredBranchRule,
} from "./records.ts";
import {
  type ChangedRows,
  changedRowsOf,
  refusedRule,
  requireNoDeployKey,
  requireRows,
  requireSubjects,
  rowsOfNew,
} from "./rows.ts";
import type { NewProtectedBranch, ProtectedBranchChange, RowChange } from "./schema.ts";

const nouns: Readonly<Record<AccessKind, string>> = {
  push: "Push access levels",
  merge: "Merge access levels",
  unprotect: "Unprotect access levels",
};
const allowsNobody = (kind: AccessKind) => ({ allowsNobody: kind !== "unprotect" });

/** `GET …/protected_branches`, by name. Throws 403 for those who cannot read the code. */
export function listProtectedBranches(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  search: string | undefined,
): StoredBranchRule[] {
  if (!canReadCode(context, caller.user, project)) throw forbidden();
  const wanted = search?.toLowerCase() ?? "";
  const found = branchRulesOf(context.store, project).filter(({ name }) => name.toLowerCase().includes(wanted));
  return found.sort((one, other) => compareText(one.name, other.name));
}

/** Throws 403, and 404 without a rule of exactly this name. */
export function getProtectedBranch(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  name: string,
): StoredBranchRule {
  if (!canReadCode(context, caller.user, project)) throw forbidden();
  return getRule(context, project, name);
}

/** Throws 404 without a rule of exactly this name. */
function getRule(context: Context, project: ProjectRecord, name: string): StoredBranchRule {
  const found = findProtectedBranch(context, project, name);
  if (found === undefined) throw notFoundLowerCase();
  return found;
}

/** The rule of exactly this name. */
export function findProtectedBranch(
  { store }: Context,
  project: ProjectRecord,
  name: string,
): StoredBranchRule | undefined {
  const id = store.of(protectedBranches).by.name_in_project.find(nameInProject(project.id, name));
  const record = id === undefined ? undefined : store.of(protectedBranches).get(id);
  return record === undefined ? undefined : new StoredBranchRule(store, record);
}

/** `POST …/protected_branches`. Throws 400, 409 and 422. */
export function createProtectedBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  wanted: NewProtectedBranch,
): StoredBranchRule {
  const lists = {
    push: wanted.allowed_to_push,
    merge: wanted.allowed_to_merge,
    unprotect: wanted.allowed_to_unprotect,
  };
  for (const kind of accessKinds) requireSubjects(`allowed_to_${kind}`, lists[kind]);
  if (findProtectedBranch(context, project, wanted.name) !== undefined) {
    throw conflict(`Protected branch '${wanted.name}' already exists`);
  }
  requireRuleName(wanted.name);
  const fallback = accessLevels.maintainer;
  const rows: Record<AccessKind, AccessRow[]> = {
    push: rowsOfNew(wanted.push_access_level, lists.push, fallback),
    merge: rowsOfNew(wanted.merge_access_level, lists.merge, fallback),
    unprotect: rowsOfNew(wanted.unprotect_access_level, lists.unprotect),
  };
  for (const kind of accessKinds) {
    requireNoDeployKey(lists[kind], nouns[kind]);
    requireRows(context, project, rows[kind], nouns[kind], allowsNobody(kind));
  }
  if (context.store.of(protectedBranches).by.project_id.find(project.id).size >= rulesMax) {
    throw refusedRule(`Project has too many protected branches (maximum is ${rulesMax})`);
  }
  requireRoom(context, project, rows.push.length + rows.merge.length + rows.unprotect.length);
  const now = toDateTime(context.clock.now());
  return context.store.transact((tx) => {
    const record = {
      id: tx.nextId("protected_branches"),
      project_id: project.id,
      name: wanted.name,
      allow_force_push: wanted.allow_force_push ?? false,
      code_owner_approval_required: wanted.code_owner_approval_required ?? false,
      created_at: now,
      updated_at: now,
    };
    tx.insert(protectedBranches, record);
    for (const kind of accessKinds) insertRows(tx, { rule: record, kind }, rows[kind]);
    recordRuleEvent(tx, context, caller, project, record, "protected_branch_created");
    return new StoredBranchRule(context.store, record);
  });
}

/** `PATCH …/protected_branches/:name`. Throws 400, 404, 403 for those who may not unprotect it, and 422. */
export function updateProtectedBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  name: string,
  wanted: ProtectedBranchChange,
): StoredBranchRule {
  const lists: Readonly<Record<AccessKind, readonly RowChange[] | undefined>> = {
    push: wanted.allowed_to_push,
    merge: wanted.allowed_to_merge,
    unprotect: wanted.allowed_to_unprotect,
  };
  for (const kind of accessKinds) requireSubjects(`allowed_to_${kind}`, lists[kind]);
  const rule = getRule(context, project, name);
  requireUnprotect(context, caller, project, rule);
  const changes: (readonly [AccessKind, ChangedRows])[] = [];
  for (const kind of accessKinds) {
    if (lists[kind] === undefined) continue;
    requireNoDeployKey(lists[kind], nouns[kind]);
    const changed = changedRowsOf(rule[kind], lists[kind], notFoundLowerCase);
    requireRows(context, project, [...changed.kept, ...changed.added], nouns[kind], allowsNobody(kind));
    changes.push([kind, changed]);
  }
  const growth = changes.reduce((sum, [, { added, removed }]) => sum + added.length - removed.length, 0);
  if (growth > 0) requireRoom(context, project, growth);
  return replaceRule(context, caller, project, rule, changes, wanted);
}

/** Writes a rule anew, with one audit event if that changes something. */
function replaceRule(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  rule: StoredBranchRule,
  changes: readonly (readonly [AccessKind, ChangedRows])[],
  { allow_force_push, code_owner_approval_required }: ProtectedBranchChange = {},
): StoredBranchRule {
  const { store, clock } = context;
  const record = {
    ...rule.record,
    allow_force_push: allow_force_push ?? rule.record.allow_force_push,
    code_owner_approval_required: code_owner_approval_required ?? rule.record.code_owner_approval_required,
  };
  const hasRowChange = changes.some(
    ([kind, { kept, added, removed }]) =>
      added.length > 0 || removed.length > 0 || !Bun.deepEquals(kept, rule[kind] as unknown),
  );
  if (!hasRowChange && Bun.deepEquals(record, rule.record)) return rule;
  return store.transact((tx) => {
    const changed = { ...record, updated_at: toDateTime(clock.now()) };
    tx.update(protectedBranches, changed);
    for (const [kind, { kept, added, removed }] of changes) {
      for (const { id } of removed) tx.remove(refAccessLevels, id);
      for (const row of kept) tx.update(refAccessLevels, row);
      insertRows(tx, { rule: changed, kind }, added);
    }
    recordRuleEvent(tx, context, caller, project, changed, "protected_branch_updated");
    return new StoredBranchRule(store, changed);
  });
}

/** `DELETE …/protected_branches/:name`. Throws 404, 403 for those who are not on the list of it, and 412. */
export function deleteProtectedBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  name: string,
  unmodifiedSince?: DateTime,
): void {
  const rule = getRule(context, project, name);
  requireUnprotect(context, caller, project, rule);
  requireUnmodified(rule.record, unmodifiedSince);
  context.store.transact((tx) => {
    for (const kind of accessKinds) for (const { id } of rule[kind]) tx.remove(refAccessLevels, id);
    tx.remove(protectedBranches, rule.record.id);
    recordRuleEvent(tx, context, caller, project, rule.record, "protected_branch_removed");
  });
}

/** The rights of developers in the old form of protection; undefined changes nothing. */
export interface DevelopersMay {
  readonly push?: boolean | undefined;
  readonly merge?: boolean | undefined;
}

/** `PUT …/branches/:branch/protect`: makes the rule of this name, or changes its levels. Throws 403 as a change does. */
export function protectBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  name: string,
  developersMay: DevelopersMay,
): void {
  const { developer, maintainer } = accessLevels;
  const levelFor = (may: boolean | undefined) => (may === true ? developer : maintainer);
  const rule = findProtectedBranch(context, project, name);
  if (rule === undefined) {
    const levels = {
      push_access_level: levelFor(developersMay.push),
      merge_access_level: levelFor(developersMay.merge),
    } as const;
    createProtectedBranch(context, caller, project, { name, ...levels });
    return;
  }
  requireUnprotect(context, caller, project, rule);
  const changes: (readonly [AccessKind, ChangedRows])[] = [];
  for (const kind of ["push", "merge"] as const) {
    const may = developersMay[kind];
    const isOpen = rule[kind].some(({ access_level }) => access_level === developer);
    if (may === undefined || (may ? isOpen && rule[kind].length === 1 : !isOpen)) continue;
    const added = rowsOfNew(levelFor(may), undefined);
    changes.push([kind, { kept: [], added, removed: rule[kind] }]);
  }
  replaceRule(context, caller, project, rule, changes);
}

/** Throws 403 for those who are not on the rule's list of who may unprotect. */
function requireUnprotect(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { unprotect }: StoredBranchRule,
): void {
  if (!canUnprotect(context, user, project, unprotect)) throw forbidden();
}

/** Throws 422 when the rules of a project would have too many rows with as many more. */
function requireRoom({ store }: Context, project: ProjectRecord, more: number): void {
  if (store.of(refAccessLevels).by.project_id.find(project.id).size + more > rowsInProjectMax) {
    throw refusedRule(`Project has too many access levels of protected branches (maximum is ${rowsInProjectMax})`);
  }
}

const nameLengthMax = 255;

/** Throws 422. */
export function requireRuleName(name: string): void {
  if (name.trim() === "") throw refusedRule("Name can't be blank");
  if (name.length > nameLengthMax) throw refusedRule(`Name is too long (maximum is ${nameLengthMax} characters)`);
}

function insertRows(
  tx: Transaction,
  { rule, kind }: { readonly rule: { readonly id: number; readonly project_id: number }; readonly kind: AccessKind },
  rows: readonly AccessRow[],
): void {
  for (const { access_level, user_id, group_id } of rows) {
    const id = tx.nextId("ref_access_levels");
    const { id: rule_id, project_id } = rule;
    tx.insert(refAccessLevels, { id, kind, rule_id, project_id, access_level, user_id, group_id });
  }
}
