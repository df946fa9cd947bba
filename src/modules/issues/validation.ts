import { type AttributeErrors, invalid } from "../../domain/failure.ts";
import { isLonger } from "../../domain/text.ts";

const titleMax = 255;
const descriptionMax = 1_048_576;

/** Throws 400 with every broken rule of the model (issues-labels-milestones-epics 1.4). */
export function validateIssue({ title, description }: { title: string; description: string | null }): void {
  const errors: Record<string, string[]> = {};
  if (title.trim() === "") errors.title = ["can't be blank"];
  else if (isLonger(title, titleMax)) errors.title = [`is too long (maximum is ${titleMax} characters)`];
  if (isLonger(description, descriptionMax)) {
    errors.description = [`is too long (maximum is ${descriptionMax} characters)`];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors satisfies AttributeErrors);
}
