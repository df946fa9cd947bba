import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi } from "../../../store/index.ts";

/** What the checked text belongs to. */
export type NoteableType = "Issue" | "PersonalSnippet" | "ProjectSnippet";

/** A request whose text was judged spam (spam-and-captcha, "Spam log record"). No operation shows it. */
export interface SpamLogRecord {
  readonly id: number;
  readonly user_id: number;
  readonly source_ip: string | null;
  readonly user_agent: string | null;
  readonly via_api: true;
  readonly noteable_type: NoteableType;
  readonly title: string;
  readonly description: string;
  /** Whether a solved CAPTCHA let it through later. */
  readonly recaptcha_verified: boolean;
  readonly created_at: DateTime;
}

export const spamLogs = collection<SpamLogRecord>()("spam-logs", {
  user_id: multi((entry) => [entry.user_id]),
});
