import { parseExternalUrl, parseKey, parseSmtpUrl, parseWords } from "./parsers.ts";
import type { DefaultedSetting, Setting } from "./setting.ts";

export const smtpUrl: Setting<string> = {
  flag: "smtp-url",
  placeholder: "url",
  help: "mail server; without it Outpost sends no mail; safer as a variable",
  expected: "smtp://user:password@host:port or smtps://…, user and port optional",
  example: "smtp://mail.example:25",
  secret: true,
  parse: parseSmtpUrl,
};

export const spamKeywords: Setting<readonly string[]> = {
  flag: "spam-keywords",
  placeholder: "words",
  help: "comma-separated words that make a public text spam",
  expected: "words separated by commas",
  example: "cheap-pills,casino",
  parse: parseWords,
};

export const akismetUrl: DefaultedSetting<string> = {
  flag: "akismet-url",
  placeholder: "url",
  help: "spam-check service URL, used once akismet_enabled is set",
  expected: "an http or https URL without a query",
  example: "https://akismet.example",
  default: "https://rest.akismet.com",
  parse: parseExternalUrl,
};

export const recaptchaSiteKey: Setting<string> = {
  flag: "recaptcha-site-key",
  placeholder: "text",
  help: "with the private key: enables CAPTCHAs at each start",
  expected: "1 to 255 letters, digits and symbols without spaces",
  example: "6Lxx-site",
  parse: parseKey,
};

export const recaptchaPrivateKey: Setting<string> = {
  flag: "recaptcha-private-key",
  placeholder: "text",
  help: "private key of the CAPTCHA service; safer as a variable",
  expected: "1 to 255 letters, digits and symbols without spaces",
  example: "6Lxx-private",
  secret: true,
  parse: parseKey,
};

export const recaptchaVerifyUrl: DefaultedSetting<string> = {
  flag: "recaptcha-verify-url",
  placeholder: "url",
  help: "URL that verifies solved CAPTCHAs",
  expected: "an http or https URL without a query",
  example: "https://captcha.example/verify",
  default: "https://www.google.com/recaptcha/api/siteverify",
  parse: parseExternalUrl,
};
