import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { type IssueRecord, iidKey, issues } from "./records.ts";

/** The issue of this number in the project, without a check of rights; 404. */
export function getIssue({ store }: Context, project: ProjectRecord, iid: number): IssueRecord {
  const id = store.of(issues).by.iid.find(iidKey(project.id, iid));
  const issue = id === undefined ? undefined : store.of(issues).get(id);
  if (issue === undefined) throw notFound("Issue");
  return issue;
}

/** The issue of this number, when the caller may read it; 404 `Issue Not Found`. */
export function getReadableIssue(context: Context, caller: Caller, project: ProjectRecord, iid: number): IssueRecord {
  const issue = getIssue(context, project, iid);
  if (!context.get(ReadableIssues).has(caller.user, issue)) throw notFound("Issue");
  return issue;
}

/** Finds an issue by its id in any project, as `getReadableIssue` finds it in one. */
export function getReadableIssueById(context: Context, caller: Caller, id: number): IssueRecord {
  const issue = context.store.of(issues).get(id);
  if (issue === undefined || !context.get(ReadableIssues).has(caller.user, issue)) throw notFound("Issue");
  return issue;
}
