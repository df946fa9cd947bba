import type { Config } from "../config/config.ts";
import { operator } from "../domain/caller.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { addressWithCode, insertSignInCode } from "../modules/accounts/sessions/index.ts";
import { findUserByUsername } from "../modules/core/users/index.ts";
import type { App } from "../server/app.ts";
import { calledAt } from "../server/listeners/listener.ts";
import { isTty, stderr } from "./output/terminal.ts";

/** The line of a welcome with the address of the API reference; none for a server that no browser reaches. */
export function apiPageLines({ origin }: App, { externalUrl }: Config): string[] {
  const base = baseFor(origin, externalUrl);
  return base === undefined ? [] : [`  API page     ${base}/-/api`];
}

/**
 * The line of a welcome with an address that signs root in once; none for a server without a console, one that no browser
 * reaches, and a store without root. What is no terminal may be a log that others read: there, the line names the command
 * that prints the address.
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

/** Makes an address for each user that signs the user in once; none for a server without a console, and one that no browser reaches. */
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

/** The address of the server for browsers; undefined for a socket file. */
function baseFor(origin: string, externalUrl: string | undefined): string | undefined {
  return externalUrl ?? (origin.startsWith("unix:") ? undefined : calledAt(origin));
}
