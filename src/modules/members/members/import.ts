/** The import of the members of another project. */

import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, unprocessable } from "../../../domain/failure.ts";
import { sourceKey } from "../../../domain/source.ts";
import { getProject, levelIn, type Source } from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { checkedDraftOf } from "./levels.ts";
import { isBot, requireUnlockedMembership } from "./policy.ts";
import { memberships } from "./records.ts";
import type { AddedMembers } from "./schema.ts";
import { errorSentence, outcomeOf } from "./service-create.ts";
import { findMembership, isVisible } from "./service-direct-memberships.ts";
import { insertMembership } from "./service-memberships.ts";

/**
 * `POST /projects/:id/import_project_members/:project_id` (groups-and-projects 3.1): the direct members of another
 * project join this one; those who are here already stay what they are. No level is above the caller's.
 */
export function importMembers(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  fromId: string,
): Static<typeof AddedMembers> {
  const from = getProject(context, caller, fromId);
  const highest = levelIn(context, caller, { project });
  for (const source of [{ project }, { project: from }]) {
    if (levelIn(context, caller, source) < accessLevels.maintainer) throw forbidden("Project");
  }
  const target: Source = { project };
  requireUnlockedMembership(context, target);
  if (from.id === project.id) throw unprocessable("Import failed");
  const problems = new Map<string, string>();
  const { store } = context;
  store.transact((tx) => {
    for (const id of store.of(memberships).by.source.find(sourceKey({ type: "project", id: from.id }))) {
      const row = store.of(memberships).get(id);
      const user = row === undefined ? undefined : findUser(store, row.user_id);
      if (row === undefined || user === undefined || isBot(user) || !isVisible(context, row)) continue;
      if (row.state === "awaiting" || findMembership(context, target, user.id) !== undefined) continue;
      const level = Math.min(row.access_level, highest) as AccessLevel;
      const checked = checkedDraftOf(context, target, user, { access_level: level, expires_at: row.expires_at }, true);
      if ("errors" in checked) problems.set(user.username, errorSentence(checked.errors));
      else insertMembership(tx, context, caller, target, user, checked);
    }
  });
  return outcomeOf(problems);
}
