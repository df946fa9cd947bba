import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { issueConditions, readableConditions } from "./filters/index.ts";
import { issues } from "./records.ts";

/** Open issues of projects in use that wait for the caller (users-and-auth 13). */
export function countAssignedIssues(context: Context, caller: SignedInCaller): number {
  const where = issueConditions(context, caller, { scope: "assigned_to_me" }, "everywhere");
  const isInUse = { not: { ids: context.get(ReadableIssues).withTrait("archived") } };
  return context.store.count(issues, [...where, { index: "state", key: "opened" }, isInUse]);
}

/** Issues that a user has written, without a check of rights (users-and-auth 14). */
export function countAuthoredIssues({ store }: Context, userId: number): number {
  return store.of(issues).by.author_id.find(userId).size;
}

/** Open issues of a project that the caller may read (groups-and-projects 3.4). */
export function countOpenIssues(context: Context, caller: Caller, project: ProjectRecord): number {
  const where = readableConditions(context, caller.user, { project });
  return context.store.count(issues, [...where, { index: "state", key: "opened" }]);
}
