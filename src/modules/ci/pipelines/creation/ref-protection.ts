/** Protected refs restrict who makes pipelines (protected-refs 7). */

import type { CallerUser } from "../../../../domain/caller.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { canUpdateRef } from "../policy.ts";
import { pipelineRefusal } from "./given-variables.ts";
import type { FoundRef } from "./refs.ts";

/** Throws 400 unless the user may update the ref. */
export function requireRefRight(
  context: Context,
  { project, user }: { readonly project: ProjectRecord; readonly user: CallerUser },
  { name: ref, tag }: FoundRef,
): void {
  if (canUpdateRef(context, user, project, { ref, tag })) return;
  throw pipelineRefusal(
    `You do not have sufficient permission to run a pipeline on '${ref}'. Please select a different branch or contact your administrator for assistance.`,
  );
}
