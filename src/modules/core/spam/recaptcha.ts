/** The check of captcha answers. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Context } from "../../kernel/context.ts";
import type { ApplicationSettings } from "../application-settings/index.ts";
import { postForm } from "./post-form.ts";

/** A CAPTCHA service with both of its keys. */
export interface CaptchaService {
  readonly siteKey: string;
  readonly privateKey: string;
}

/** undefined: none is configured. */
export function captchaServiceOf(settings: ApplicationSettings): CaptchaService | undefined {
  const { recaptcha_enabled, recaptcha_site_key: siteKey, recaptcha_private_key: privateKey } = settings;
  return recaptcha_enabled && siteKey && privateKey ? { siteKey, privateKey } : undefined;
}

/** Whether the service vouches for the token that its widget gave. One that cannot be reached does not. */
export async function isSolved(
  context: Context,
  { ipAddress }: SignedInCaller,
  { privateKey }: CaptchaService,
  token: string,
): Promise<boolean> {
  const { log, spamServices } = context;
  try {
    const answer = await postForm(context, spamServices.recaptchaVerifyUrl, {
      secret: privateKey,
      response: token,
      remoteip: ipAddress ?? "",
    });
    const verdict: unknown = JSON.parse(answer);
    return typeof verdict === "object" && verdict !== null && "success" in verdict && verdict.success === true;
  } catch (error) {
    log.warn({ reason: String(error) }, "a CAPTCHA could not be verified");
    return false;
  }
}
