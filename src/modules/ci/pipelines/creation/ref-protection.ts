/** Protected refs restrict pipelines (protected-refs 7). */

import type { CallerUser } from "../../../../domain/caller.ts";
import type { ProjectRecord } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { canPushOrMerge, isProtectedBranch } from "../../../repositories/protected-branches/index.ts";
import { canCreateTag, isProtectedTag } from "../../../repositories/protected-tags/index.ts";
import { pipelineRefusal } from "./given-variables.ts";
import type { FoundRef } from "./refs.ts";

/** Throws 400 unless the user may push to or merge into the protected branch, or may create the protected tag. */
export function requireRefRight(
  context: Context,
  { project, user }: { readonly project: ProjectRecord; readonly user: CallerUser },
  { name, tag }: FoundRef,
): void {
  const isAllowed = tag ? canCreateTag(context, user, project, name) : canPushOrMerge(context, user, project, name);
  if (isAllowed) return;
  throw pipelineRefusal(
    `You do not have sufficient permission to run a pipeline on '${name}'. Please select a different branch or contact your administrator for assistance.`,
  );
}

/** True when a rule protects the ref now. */
export function isProtectedRef(context: Context, project: ProjectRecord, { name, tag }: FoundRef): boolean {
  return tag ? isProtectedTag(context, project, name) : isProtectedBranch(context, project, name);
}
