import type { SignedInCaller } from "../../../domain/caller.ts";
import { captchaNeeded, spam } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { settingsOf } from "../application-settings/index.ts";
import { findUser } from "../users/index.ts";
import { isInternal } from "../users/records.ts";
import { captchaServiceOf, isSolved } from "./recaptcha.ts";
import { type NoteableType, type SpamLogRecord, spamLogs } from "./records.ts";
import { akismetKeyOf, isSpam } from "./verdict.ts";

/** A text that is about to become public. */
export interface Submission {
  readonly noteable_type: NoteableType;
  readonly title: string;
  /** All that is judged beside the title: a description; of snippets the contents too, each on a line of its own. */
  readonly text: string;
}

/** Runs in the transaction of the write that passed the check. */
export type Clearance = (tx: Transaction) => void;

const nothingToNote: Clearance = () => undefined;

/** Whether anything judges texts on this server; without it, `getSpamClearance` lets every text through. */
export function isSpamChecked(context: Context): boolean {
  const settings = settingsOf(context);
  const isJudged = context.spamServices.keywords.length > 0 || akismetKeyOf(settings) !== undefined;
  return isJudged || captchaServiceOf(settings) !== undefined;
}

/**
 * Stops a text that is judged spam (spam-and-captcha). Throws 400, or 409 where a CAPTCHA can be solved; either leaves a
 * spam log record and nothing else. Runs after all other checks; its caller must then check again whether the write is
 * still allowed.
 */
export async function getSpamClearance(
  context: Context,
  caller: SignedInCaller,
  submission: Submission,
): Promise<Clearance> {
  const { store } = context;
  const author = findUser(store, caller.user.id);
  if (author !== undefined && isInternal(author)) return nothingToNote;
  const settings = settingsOf(context);
  const captcha = captchaServiceOf(settings);
  const token = headerOf(caller, "Captcha-Response");
  if (captcha !== undefined && token !== undefined && (await isSolved(context, caller, captcha, token))) {
    return (tx) => markSolved(tx, store, caller);
  }
  const { noteable_type: type, title, text } = submission;
  if (!(await isSpam(context, caller, settings, `${title}\n${text}`))) return nothingToNote;
  if (type === "Issue" && settings.allow_possible_spam) {
    return (tx) => void logSpam(tx, context, caller, submission);
  }
  const entry = store.transact((tx) => logSpam(tx, context, caller, submission));
  const noun = type === "Issue" ? "issue" : "snippet";
  throw captcha === undefined ? spam(noun) : captchaNeeded(noun, entry.id, captcha.siteKey);
}

/** Reads a header by either of its names; an empty one counts as absent. */
function headerOf({ sent }: SignedInCaller, name: "Captcha-Response" | "Spam-Log-Id"): string | undefined {
  const headers = sent?.request.headers;
  return headers?.get(`X-Service-${name}`) || headers?.get(`X-GitLab-${name}`) || undefined;
}

/** The record that the caller names, when it is the caller's own. */
function markSolved(tx: Transaction, store: Store, caller: SignedInCaller): void {
  const id = headerOf(caller, "Spam-Log-Id") ?? "";
  const entry = /^\d{1,15}$/.test(id) ? store.of(spamLogs).get(Number(id)) : undefined;
  if (entry?.user_id === caller.user.id) tx.update(spamLogs, { ...entry, recaptcha_verified: true });
}

function logSpam(
  tx: Transaction,
  { clock }: Context,
  caller: SignedInCaller,
  { noteable_type, title, text }: Submission,
): SpamLogRecord {
  return tx.insert(spamLogs, {
    id: tx.nextId("spam_logs"),
    user_id: caller.user.id,
    source_ip: caller.ipAddress,
    user_agent: caller.sent?.request.headers.get("user-agent") ?? null,
    via_api: true,
    noteable_type,
    title,
    description: text,
    recaptcha_verified: false,
    created_at: toDateTime(clock.now()),
  });
}
