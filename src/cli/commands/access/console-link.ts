import type { ClientConfig, Config } from "../../../config/config.ts";
import { operator } from "../../../domain/caller.ts";
import { StartError } from "../../../domain/start-error.ts";
import { addressWithCode, insertSignInCode } from "../../../modules/accounts/sessions/index.ts";
import { addressOfHolder } from "../../../store/index.ts";
import { resolveEndpoint } from "../../endpoint.ts";
import { userNamed, withOfflineStore } from "../../offline-store.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { receive, tokenOnThisMachine } from "../client/api.ts";

/**
 * The address on stdout. A running server, the one named or the one that uses the data folder, makes the code; else the
 * stopped store keeps it until a server runs. Throws `StartError`.
 */
export async function printConsoleLink(user: string, client: ClientConfig, config: Config): Promise<void> {
  const server = client.urlFrom === "url" ? client.url : addressOfHolder(config.dataFolder);
  const url =
    server === undefined ? await linkOfStore(user, client, config) : await linkOfServer(user, server, client, config);
  await print(`${url}\n`);
  printMessage(`signs ${user} in once, within 15 minutes`);
}

async function linkOfStore(user: string, client: ClientConfig, config: Config): Promise<string> {
  const base = config.externalUrl ?? client.url;
  if (base === undefined || base.startsWith("unix:")) {
    throw new StartError(
      "no browser reaches the address that the settings give",
      "OUTPOST_EXTERNAL_URL=https://outpost.example outpost console-link",
    );
  }
  let code = "";
  const call = { method: "POST", path: "/-/sign-in-codes", values: { user } } as const;
  await withOfflineStore({ config, verb: "console-link", call, client }, ({ context }) => {
    const found = userNamed(context, user);
    ({ code } = context.store.transact((tx) => insertSignInCode(tx, context, operator, found)));
  });
  return addressWithCode(base, code);
}

async function linkOfServer(user: string, origin: string, client: ClientConfig, config: Config): Promise<string> {
  const token = client.token ?? (await tokenOnThisMachine(origin, config));
  if (token === undefined) {
    throw new StartError(
      "a server is running, and it needs an administrator's token",
      "OUTPOST_TOKEN=… outpost console-link",
    );
  }
  const { base, socket, authority } = resolveEndpoint(origin, config.dataFolder);
  const { status, body } = await receive({
    ...{ method: "POST", url: `${base}/-/sign-in-codes`, socket, authority },
    headers: { Accept: "application/json", "Content-Type": "application/json", "PRIVATE-TOKEN": token },
    body: JSON.stringify({ user }),
  });
  if (status !== 201)
    throw new StartError(`the server answered ${status} ${body.toString().slice(0, 200)}`, refusalHint(status));
  const { url } = JSON.parse(body.toString()) as { readonly url: string };
  return url;
}

function refusalHint(status: number): string {
  return status === 404 ? "outpost user list" : "outpost console-link --token …, an administrator's with the scope api";
}
