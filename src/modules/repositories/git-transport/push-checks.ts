/** The checks of the refs of a push, in git's words (git-over-http 5.2 and 5.3). */

import type { SignedInCaller } from "../../../domain/caller.ts";
import {
  branchPrefix,
  isFullRefName,
  isRefName,
  noOid,
  type ReceivedRef,
  type RefCommand,
  tagPrefix,
} from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { branchRefusal } from "../protected-branches/index.ts";
import { tagRefusal } from "../protected-tags/index.ts";

const hiddenRefs = ["refs/keep-around/", "refs/merge-requests/", "refs/pipelines/", "refs/environments/", "refs/tmp/"];

/** Why a command alone cannot be carried out, whoever pushes; undefined: it can. `isShallow`: the client has no whole history. */
export function commandFault(
  { ref, after }: RefCommand,
  received: ReceivedRef | undefined,
  isShallow: boolean,
): string | undefined {
  if (after !== noOid && received?.type === undefined) {
    return isShallow ? "shallow update not allowed" : "missing necessary objects";
  }
  // All of the name is checked: `refs/./heads/main` would be the file of a branch.
  if (!isFullRefName(ref) || !isRefName(ref.split("/").slice(2).join("/"))) return "funny refname";
  if (hiddenRefs.some((prefix) => ref.startsWith(prefix))) return "deny updating a hidden ref";
  if (ref.startsWith(branchPrefix) && received !== undefined && received.type !== "commit")
    return "failed to update ref";
  return undefined;
}

export interface PushScene {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** The repository has no branch yet. */
  readonly isEmpty: boolean;
  readonly baseUrl: string;
}

/** The sentence that refuses a command to its caller; undefined when it is allowed. */
export async function accessRefusal(
  context: Context,
  { caller, project, isEmpty, baseUrl }: PushScene,
  { ref, before, after }: RefCommand,
  received: ReceivedRef | undefined,
): Promise<string | undefined> {
  const isNew = before === noOid;
  const isDeleted = after === noOid;
  if (ref.startsWith(branchPrefix)) {
    const branch = ref.slice(branchPrefix.length);
    const act = isDeleted
      ? ({ kind: "delete" } as const)
      : isNew
        ? ({ kind: "create", isHeld: async () => true } as const)
        : ({ kind: "push", isForced: received?.isForced !== false } as const);
    return branchRefusal(context, caller, project, { branch, isEmpty, by: "git", act }, baseUrl);
  }
  if (!ref.startsWith(tagPrefix)) return undefined;
  const tag = ref.slice(tagPrefix.length);
  return tagRefusal(context, caller, project, {
    tag,
    by: "git",
    act: isDeleted ? "delete" : isNew ? "create" : "update",
  });
}
