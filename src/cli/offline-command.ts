import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../config/config.ts";
import { dataFolder, sourcesOf } from "./command-settings.ts";
import type { OfflineOptions } from "./offline-store.ts";

/** Stands above the examples of a verb that works on a stopped store. */
export const stoppedOnly = `
Stop the server that uses the folder first. If one does, this command prints the
equivalent API call and exits with 1.`;

/** The one setting of such a verb. */
export const storeFolder = { taken: [dataFolder("folder of the store")] };

export function askedOf({ json }: { readonly json?: true }, command: Command): OfflineOptions {
  return { json: json === true, client: resolveClient(sourcesOf(command)) };
}

export function configOf(command: Command) {
  return resolveConfig(sourcesOf(command));
}
