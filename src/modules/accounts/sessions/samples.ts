import type { Samples } from "../../kernel/sample.ts";

const needsSession = { unsuited: "needs the session of a browser" };

export const sessionSamples: Samples = {
  "POST /-/session": needsSession,
  "GET /-/session": needsSession,
  "DELETE /-/session": needsSession,
  "DELETE /-/sessions/:id": needsSession,
  "POST /-/sign-in-codes": ({ user }) => ({ json: { user: user.username } }),
};
