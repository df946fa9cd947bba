import { renderEmoji } from "../../../lib/text/emoji.ts";
import type { UserStatusRecord } from "./records.ts";

/** users-and-auth 12. */
export function presentStatus({ emoji, message, availability, clear_status_at }: UserStatusRecord) {
  return { emoji, message, availability, message_html: renderEmoji(message ?? ""), clear_status_at };
}
