/** The rules about the texts of issues. */

import { invalid } from "../../../../domain/failure.ts";
import { textErrors } from "../../records/index.ts";

/** Throws 400 with every broken rule of the model (issues-labels-milestones-epics 1.4). */
export function requireValidIssue(issue: { title: string; description: string | null }): void {
  const errors = textErrors(issue);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
