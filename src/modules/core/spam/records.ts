import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** The type of thing that the checked text belongs to. */
export type NoteableType = "Issue" | "PersonalSnippet" | "ProjectSnippet";

/** A request whose text was judged spam (spam-and-captcha, "Spam log record"). No operation shows it. */
export const SpamLogRecord = record({
  id: field.whole,
  user_id: field.whole,
  source_ip: field.nullable(field.text),
  user_agent: field.nullable(field.text),
  via_api: field.oneOf(true),
  noteable_type: field.oneOf("Issue", "PersonalSnippet", "ProjectSnippet"),
  title: field.text,
  description: field.text,
  /** True when a solved CAPTCHA let it through later. */
  recaptcha_verified: field.flag,
  created_at: field.moment,
});
export type SpamLogRecord = RecordOf<typeof SpamLogRecord>;

export const spamLogs = collection("spam-logs", SpamLogRecord, {
  indexes: {
    user_id: multi((entry) => [entry.user_id]),
  },
});
