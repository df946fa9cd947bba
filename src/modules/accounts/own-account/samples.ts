import type { Samples } from "../../kernel/sample.ts";

const needsPassword = { unsuited: "needs the password of the caller" };
const needsMail = { unsuited: "needs the secret in a mail" };

export const ownAccountSamples: Samples = {
  "PUT /-/account": { json: { bio: "Sails" } },
  "PUT /-/account/password": needsPassword,
  "POST /-/account/tokens": needsPassword,
  "POST /-/account/password-resets": needsMail,
  "PUT /-/account/password-resets": needsMail,
  "POST /-/account/confirmations": needsMail,
};
