/** The text of an issue that is checked for spam. */

import type { Submission } from "../../../core/spam/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { IssueRecord } from "../records.ts";

/** The parts of an issue that decide whether it is judged, and what is. */
type Writing = Pick<IssueRecord, "title" | "description" | "confidential">;

/**
 * The text of a new or changed issue that the spam check gets (spam-and-captcha, "Where it applies"); undefined: no
 * check, since not all users can read the issue, or all could read the text before.
 */
export function submissionOf(
  project: ProjectRecord,
  before: Writing | undefined,
  after: Writing,
): Submission | undefined {
  const level = projectSettingOf(project, "issues_access_level");
  const isOpen = project.visibility === "public" && (level === "enabled" || level === "public");
  if (!isOpen || after.confidential) return undefined;
  const isKnown = before?.confidential === false;
  if (isKnown && before.title === after.title && before.description === after.description) return undefined;
  return { noteable_type: "Issue", title: after.title, text: after.description ?? "" };
}
