import type { Static } from "@sinclair/typebox";
import { renderEmoji } from "../../../../lib/text/emoji.ts";
import type { LabelRecord } from "../records-labels.ts";
import type { Label } from "./schema.ts";

/** Red, green and blue together; above it, a background is light. */
const lightSum = 500;

/** The text colour with enough contrast on a background of `#RRGGBB`. */
function textColorOn(color: string): string {
  const sum = [1, 3, 5].reduce((total, at) => total + Number.parseInt(color.slice(at, at + 2), 16), 0);
  return sum > lightSum ? "#1F1E24" : "#FFFFFF";
}

/** issues-labels-milestones-epics 1.3, `with_labels_details`. */
export function presentLabelDetails({ id, title, color, description }: LabelRecord): Static<typeof Label> {
  return {
    id,
    name: title,
    color,
    description,
    description_html: renderEmoji(description ?? ""),
    text_color: textColorOn(color),
  };
}
