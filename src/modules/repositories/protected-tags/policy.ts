import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { rowTest, Wildcard } from "../protected-branches/index.ts";
import { type ProtectedTagRecord, tagRulesOf } from "./records.ts";

function matching({ store }: Context, project: ProjectRecord, tag: string): ProtectedTagRecord[] {
  return tagRulesOf(store, project).filter(({ name }) => new Wildcard(name).matches(tag));
}

/** A test for the names of tags that a rule protects now. The tags need not exist. Throws `OverBudget`. */
export function protectedTagTest({ store }: Context, project: ProjectRecord): (tag: string) => boolean {
  const wildcards = tagRulesOf(store, project).map(({ name }) => new Wildcard(name));
  return (tag) => wildcards.some((each) => each.matches(tag));
}

export function isProtectedTag(context: Context, project: ProjectRecord, tag: string): boolean {
  return protectedTagTest(context, project)(tag);
}

/** True when the user may create the tag. One row of any rule that matches is enough (protected-refs 5). */
export function canCreateTag(context: Context, user: CallerUser, project: ProjectRecord, tag: string): boolean {
  const rules = matching(context, project, tag);
  if (rules.length === 0) return true;
  if (context.get(Access).levelInProject(user, project) < accessLevels.developer) return false;
  const isAmong = rowTest(context, user, project);
  return rules.some(({ create }) => create.some(isAmong));
}

/** True when a user who may delete tags may delete this one through the API. */
export function canDeleteTag(context: Context, user: CallerUser, project: ProjectRecord, tag: string): boolean {
  return (
    !isProtectedTag(context, project, tag) ||
    context.get(Access).levelInProject(user, project) >= accessLevels.maintainer
  );
}
