import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser, SignedInCaller } from "../../../domain/caller.ts";
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

/** A change of a tag that somebody asks for, by the API or by git. */
export interface TagChange {
  readonly tag: string;
  readonly by: "api" | "git";
  readonly act: "create" | "update" | "delete";
}

/** A name that begins so would be taken for the id of a commit. */
const idPattern = /^[0-9a-f]{40}/i;

/** The sentence that refuses a change of a tag to the caller, who may change others; undefined when it is allowed. */
export function tagRefusal(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { tag, by, act }: TagChange,
): string | undefined {
  if (act === "create" && tag === project.default_branch) return "You cannot use default branch name to create a tag";
  if (act !== "delete" && idPattern.test(tag)) return "You cannot create a tag with a SHA-1 or SHA-256 tag name.";
  if (!isProtectedTag(context, project, tag)) return undefined;
  if (act === "update") return "Protected tags cannot be updated.";
  if (act === "delete") {
    if (context.get(Access).levelInProject(user, project) < accessLevels.maintainer) {
      return "You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.";
    }
    return by === "api" ? undefined : "You can only delete protected tags using the web interface.";
  }
  return canCreateTag(context, user, project, tag)
    ? undefined
    : "You are not allowed to create this tag as it is protected.";
}
