import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

const linkExamples = `
Works on a stopped store, and through a running server: with --token or
OUTPOST_TOKEN, or with root's token while the data folder contains it. Whoever
has the address can sign in with it, once.

Examples:
  outpost console-link
  outpost console-link ada`;

export function addConsoleLink(program: Command): void {
  const verb = program.command("console-link").description("print an address that signs a user in to the console once");
  addSettings(verb, { taken: [settings.url, settings.token, dataFolder("folder of the store")] })
    .usage("[name or id] [flags]")
    .argument("[name or id]", "username or id; root by default")
    .addHelpText("after", linkExamples)
    .action(async (user: string | undefined, _flags: object, command: Command) => {
      const { printConsoleLink } = await import("./console-link.ts");
      const sources = sourcesOf(command);
      await printConsoleLink(user ?? "root", resolveClient(sources), resolveConfig(sources));
    });
}
