import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../config/config.ts";
import { settings } from "../config/settings.ts";
import { dataFolder, sourcesOf } from "./command-settings.ts";
import type { StoreRequest } from "./running-server.ts";

/** The text above the examples of commands that work on a stopped store and through a server. */
export const liveOrStopped = `
If a server uses the folder, the command calls it: with --token, or with root's
token while the folder contains it. Otherwise it opens the store itself.`;

/** The settings that name a store or its server. */
export const storeSettings = {
  taken: [
    dataFolder("folder of the store"),
    { ...settings.url, help: "server to call instead of the one that uses the folder" },
    { ...settings.token, help: "token of an administrator, for a server" },
    settings.cacert,
  ],
};

/** The options of every command that reads or changes a store. */
export interface StoreFlags extends StoreRequest {
  readonly json: boolean;
}

export function storeFlagsOf({ json }: { readonly json?: true }, command: Command): StoreFlags {
  const sources = sourcesOf(command);
  return {
    command: sources.command,
    json: json === true,
    config: resolveConfig(sources),
    client: resolveClient(sources),
  };
}
