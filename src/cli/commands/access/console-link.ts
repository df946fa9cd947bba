import { operator } from "../../../domain/caller.ts";
import { StartError } from "../../../domain/start-error.ts";
import { addressWithCode, insertSignInCode } from "../../../modules/accounts/sessions/index.ts";
import { getUser } from "../../../modules/core/users/index.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { CallRefused, lockOrServer, RunningServer, type StoreRequest } from "../../running-server.ts";
import { accessInProcess, userNamed, withOpenedStore } from "../../store-access.ts";

/**
 * Prints a sign-in address on stdout. The named server, or the server of the data folder, makes the code. Without a server,
 * the stopped store keeps the code until a server runs. Throws `StartError`.
 */
export async function printConsoleLink(user: string, request: StoreRequest): Promise<void> {
  const place = await lockOrServer(request);
  let url: string;
  if (place instanceof RunningServer) url = await linkOfServer(user, place);
  else {
    place.release();
    url = await linkOfStore(user, request);
  }
  await print(`${url}\n`);
  printMessage(`signs ${user} in once, within 15 minutes`);
}

async function linkOfStore(user: string, request: StoreRequest): Promise<string> {
  const base = request.config.externalUrl ?? request.client.url;
  if (base === undefined || base.startsWith("unix:")) {
    throw new StartError(
      "no browser can reach the address in the settings",
      "OUTPOST_EXTERNAL_URL=https://outpost.example outpost console-link",
    );
  }
  let code = "";
  await withOpenedStore(request, async (context) => {
    const { id } = await userNamed(accessInProcess(context, request), user);
    const found = getUser(context.store, id);
    ({ code } = context.store.transact((tx) => insertSignInCode(tx, context, operator, found)));
  });
  return addressWithCode(base, code);
}

async function linkOfServer(user: string, server: RunningServer): Promise<string> {
  try {
    const { body } = await server.send({ method: "POST", path: "/-/sign-in-codes", values: { user } });
    return (JSON.parse(body.toString()) as { readonly url: string }).url;
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 404) throw error;
    throw new StartError(`no user is called ${user}`, "outpost user list", { cause: error });
  }
}
