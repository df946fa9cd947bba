import type { Static } from "@sinclair/typebox";
import { renderEmoji } from "../../../lib/text/emoji.ts";
import type { UserStatusRecord } from "./records.ts";
import type { UserStatus } from "./schema.ts";

/** users-and-auth 12. */
export function presentStatus({
  emoji,
  message,
  availability,
  clear_status_at,
}: UserStatusRecord): Static<typeof UserStatus> {
  return { emoji, message, availability, message_html: renderEmoji(message ?? ""), clear_status_at };
}
