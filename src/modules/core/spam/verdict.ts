/** The verdict whether a text is spam. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Context } from "../../kernel/context.ts";
import type { ApplicationSettings } from "../application-settings/index.ts";
import { postForm } from "./post-form.ts";

/** The key of Akismet, when the settings enable it. */
export function akismetKeyOf({ akismet_enabled, akismet_api_key }: ApplicationSettings): string | undefined {
  return akismet_enabled && akismet_api_key ? akismet_api_key : undefined;
}

/** Whether the text is spam: one source that says so is enough, and the word list needs no network. */
export function isSpam(
  context: Context,
  caller: SignedInCaller,
  settings: ApplicationSettings,
  text: string,
): boolean | Promise<boolean> {
  const lowered = text.toLowerCase();
  if (context.spamServices.keywords.some((word) => lowered.includes(word))) return true;
  const key = akismetKeyOf(settings);
  return key === undefined ? false : isSpamToAkismet(context, caller, key, text);
}

/** A service that fails, or takes too long, lets everything through. */
async function isSpamToAkismet(
  context: Context,
  { user, ipAddress, sent }: SignedInCaller,
  key: string,
  text: string,
): Promise<boolean> {
  const { log, spamServices } = context;
  const header = (name: string) => sent?.request.headers.get(name) ?? "";
  try {
    const answer = await postForm(context, `${spamServices.akismetUrl}/1.1/comment-check`, {
      api_key: key,
      blog: sent?.baseUrl ?? "",
      user_ip: ipAddress ?? "",
      user_agent: header("user-agent"),
      referrer: header("referer"),
      comment_type: "comment",
      comment_author: user.name,
      comment_author_email: user.email,
      comment_content: text,
    });
    return answer.trim() === "true";
  } catch (error) {
    log.warn({ reason: String(error) }, "the spam service gave no verdict; the text counts as none");
    return false;
  }
}
