import { accessLevels } from "../../../domain/access-level.ts";
import { notFoundLowerCase, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { compareText } from "../../../lib/text/unicode.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  refusedRule,
  requireNoDeployKey,
  requireRows,
  requireRuleName,
  requireSubjects,
  rowsOfNew,
} from "../protected-branches/index.ts";
import { nameInProject, rowsInProjectMax, rulesMax } from "../protected-branches/records.ts";
import { type ProtectedTagRecord, protectedTags, tagRulesOf } from "./records.ts";
import type { NewProtectedTag } from "./schema.ts";

/** `GET …/protected_tags`, by name. */
export function listProtectedTags(store: Store, project: ProjectRecord): ProtectedTagRecord[] {
  return tagRulesOf(store, project).sort((one, other) => compareText(one.name, other.name));
}

/** Throws 404 without a rule of exactly this name. */
export function getProtectedTag(store: Store, project: ProjectRecord, name: string): ProtectedTagRecord {
  const id = store.of(protectedTags).by.name_in_project.find(nameInProject(project.id, name));
  const found = id === undefined ? undefined : store.of(protectedTags).get(id);
  if (found === undefined) throw notFoundLowerCase();
  return found;
}

/** `POST …/protected_tags`. Throws 400 and 422. */
export function createProtectedTag(
  context: Context,
  project: ProjectRecord,
  { name, create_access_level, allowed_to_create }: NewProtectedTag,
): ProtectedTagRecord {
  const { store, clock } = context;
  const noun = "Create access levels";
  requireSubjects("allowed_to_create", allowed_to_create);
  requireRuleName(name);
  if (store.of(protectedTags).by.name_in_project.find(nameInProject(project.id, name)) !== undefined) {
    throw refusedRule("Name has already been taken");
  }
  requireNoDeployKey(allowed_to_create, noun);
  const rows = rowsOfNew(create_access_level, allowed_to_create, accessLevels.maintainer);
  requireRows(context, project, rows, noun);
  const rules = tagRulesOf(store, project);
  if (rules.length >= rulesMax) throw refusedRule(`Project has too many protected tags (maximum is ${rulesMax})`);
  if (rules.reduce((sum, { create }) => sum + create.length, rows.length) > rowsInProjectMax) {
    throw refusedRule(`Project has too many access levels of protected tags (maximum is ${rowsInProjectMax})`);
  }
  const now = toDateTime(clock.now());
  return store.transact((tx) =>
    tx.insert(protectedTags, {
      id: tx.nextId("protected_tags"),
      project_id: project.id,
      name,
      create: rows.map((row) => ({ id: tx.nextId("tag_access_levels"), ...row })),
      created_at: now,
      updated_at: now,
    }),
  );
}

/** `DELETE …/protected_tags/:name`. Throws 404 and 412. */
export function deleteProtectedTag(
  { store }: Context,
  project: ProjectRecord,
  name: string,
  unmodifiedSince: DateTime | undefined,
): void {
  const rule = getProtectedTag(store, project, name);
  requireUnmodified(rule, unmodifiedSince);
  store.transact((tx) => tx.remove(protectedTags, rule.id));
}
