/** The text of an issue that is checked for spam. */

import { type ProjectRecord, projectSettingsOf } from "../../../core/namespaces/index.ts";
import type { Submission } from "../../../core/spam/index.ts";
import type { IssueRecord } from "../../records/index.ts";

/** The parts of an issue that decide whether it is judged, and what is. */
type Writing = Pick<IssueRecord, "title" | "description" | "confidential">;

/**
 * What of a new or changed issue is judged (spam-and-captcha, "Where it applies"); undefined: nothing, since not
 * everybody will read it, or everybody has been able to before.
 */
export function submissionOf(
  project: ProjectRecord,
  before: Writing | undefined,
  after: Writing,
): Submission | undefined {
  const level = projectSettingsOf(project).issues_access_level;
  const isOpen = project.visibility === "public" && (level === "enabled" || level === "public");
  if (!isOpen || after.confidential) return undefined;
  const isKnown = before?.confidential === false;
  if (isKnown && before.title === after.title && before.description === after.description) return undefined;
  return { noteable_type: "Issue", title: after.title, text: after.description ?? "" };
}
