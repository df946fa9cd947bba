/** The rules about the attributes of labels. */

import { invalid } from "../../../domain/failure.ts";
import { parseColor } from "../../../lib/color.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { LabelRecord } from "./records.ts";
import { labelTitleLengthMax } from "./service-sets.ts";

const descriptionLengthMax = 65_536;

export function cleanTitle(title: string): string {
  return title.trim();
}

/** The errors of a clean title, as ends of a sentence about it. */
function titleErrors(title: string): string[] {
  if (title === "") return ["can't be blank"];
  return [
    ...(title.includes(",") ? ["is invalid"] : []),
    ...(exceedsLength(title, labelTitleLengthMax)
      ? [`is too long (maximum is ${labelTitleLengthMax} characters)`]
      : []),
  ];
}

/** Returns the attributes in their stored form; checks a description if there is one. Throws 400 with attribute errors. */
export function validateAttributes(given: {
  readonly name: string;
  readonly color: string;
  readonly description?: string | null | undefined;
}): Pick<LabelRecord, "title" | "color"> {
  const title = cleanTitle(given.name);
  const color = parseColor(given.color);
  const titleProblems = titleErrors(title);
  const isTooLong = exceedsLength(given.description, descriptionLengthMax);
  if (color !== undefined && titleProblems.length === 0 && !isTooLong) return { title, color };
  throw invalid({
    ...(titleProblems.length > 0 ? { title: titleProblems } : {}),
    ...(color === undefined ? { color: ["must be a valid color code"] } : {}),
    ...(isTooLong ? { description: [`is too long (maximum is ${descriptionLengthMax} characters)`] } : {}),
  });
}
