import { bearerOf, passwordOf } from "../../domain/authorization.ts";
import { withoutBudget } from "../../domain/work-budget.ts";
import { networkOf } from "../../lib/ip-address.ts";
import { findAccessToken } from "../../modules/accounts/access-tokens/index.ts";
import { findSession, sessionCookieOf } from "../../modules/accounts/sessions/index.ts";
import { findRunningJob } from "../../modules/ci/pipelines/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { RequestContext } from "../entry/request-context.ts";

/**
 * Returns the user of any credential in a request, else the network of the client. Invented credentials, or several
 * credentials of one user, do not make several owners.
 */
export function turnOwnerOf(context: Context, requestContext: RequestContext): string {
  // Without the budget: the answer must not depend on what is left of it at the end of the work.
  const userId = withoutBudget(() => userOf(context, requestContext));
  if (userId !== undefined) return `user ${userId}`;
  const address = requestContext.ipAddress();
  return address === null ? "" : networkOf(address);
}

function userOf(context: Context, { request, search }: RequestContext): number | undefined {
  const { headers } = request;
  const { store } = context;
  const authorization = headers.get("authorization");
  const query = search.includes("_token=") ? new URLSearchParams(search) : undefined;
  const password = passwordOf(authorization);
  const tokens = [
    query?.get("private_token"),
    headers.get("private-token"),
    bearerOf(authorization),
    password,
    query?.get("access_token"),
  ];
  for (const token of tokens) {
    const found = token ? findAccessToken(store, token) : undefined;
    if (found !== undefined) return found.user_id;
  }
  for (const token of [password, headers.get("job-token"), query?.get("job_token")]) {
    const job = token ? findRunningJob(context, token) : undefined;
    if (job !== undefined) return job.user_id;
  }
  const session = context.console === undefined ? undefined : sessionCookieOf(headers.get("cookie"));
  return session === undefined ? undefined : findSession(context, session)?.user.id;
}
