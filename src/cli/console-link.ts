import type { Config } from "../config/config.ts";
import { operator } from "../domain/caller.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { addressWithCode, insertSignInCode } from "../modules/accounts/sessions/index.ts";
import { findUserByUsername } from "../modules/core/users/index.ts";
import type { App } from "../server/app.ts";
import { calledAt } from "../server/listeners/listener.ts";
import { isTty, stderr } from "./output/terminal.ts";

/** Returns the start message's line with the address of the API reference; none when no browser can reach the server. */
export function apiPageLines({ origin }: App, { externalUrl }: Config): string[] {
  const base = baseFor(origin, externalUrl);
  return base === undefined ? [] : [`  API page     ${base}/-/api`];
}

/**
 * Returns the start message's line with an address that signs root in once; none for a server without a console, for one
 * that no browser can reach, and for a store without root. When stderr is no terminal, others may read it as a log, so the
 * line has the command that prints the address.
 */
export async function consoleLines(app: App, { console, externalUrl, dataFolder }: Config): Promise<string[]> {
  const { context, origin } = app;
  const base = baseFor(origin, externalUrl);
  const root = findUserByUsername(context.store, "root");
  if (!console || base === undefined || root === undefined) return [];
  if (!isTty(stderr))
    return [`  console      outpost console-link --data ${shellWord(dataFolder)}   (signs root in, once)`];
  const { code } = context.store.transact((tx) => insertSignInCode(tx, context, operator, root));
  await context.store.settled();
  return [`  console      ${addressWithCode(base, code)}   (root, once, for 15 minutes)`];
}

/**
 * Makes an address for each user that signs the user in once; none for a server without a console, and for one that no
 * browser can reach.
 */
export async function signInLinks(
  app: App,
  { console, externalUrl }: Config,
  usernames: readonly string[],
): Promise<readonly { readonly username: string; readonly url: string }[]> {
  const { context, origin } = app;
  const base = baseFor(origin, externalUrl);
  if (!console || base === undefined) return [];
  const links = context.store.transact((tx) =>
    usernames.flatMap((username) => {
      const user = findUserByUsername(context.store, username);
      if (user === undefined) return [];
      return [{ username, url: addressWithCode(base, insertSignInCode(tx, context, operator, user).code) }];
    }),
  );
  await context.store.settled();
  return links;
}

/** Returns the address of the server for browsers; undefined for a socket file. */
function baseFor(origin: string, externalUrl: string | undefined): string | undefined {
  return externalUrl ?? (origin.startsWith("unix:") ? undefined : calledAt(origin));
}
