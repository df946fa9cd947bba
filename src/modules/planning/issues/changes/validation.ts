/** The rules about the texts of issues. */

import { invalid } from "../../../../domain/failure.ts";
import { exceedsLength } from "../../../../lib/text/text.ts";

const titleMax = 255;
const descriptionMax = 1_048_576;

/** Throws 400 with every broken rule about title and description (issues-labels-milestones-epics 1.4). */
export function requireValidTexts(issue: { title: string; description: string | null }): void {
  const errors = textErrors(issue);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Broken rules of what issues and epics have in common, by attribute (issues-labels-milestones-epics 1.4). */
export function textErrors({
  title,
  description,
}: {
  readonly title: string;
  readonly description: string | null;
}): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  if (title === "") errors.title = ["can't be blank"];
  else if (exceedsLength(title, titleMax)) errors.title = [`is too long (maximum is ${titleMax} characters)`];
  if (exceedsLength(description, descriptionMax)) {
    errors.description = [`is too long (maximum is ${descriptionMax} characters)`];
  }
  return errors;
}
