import type { Command } from "commander";
import { addSettings } from "../../command-settings.ts";
import { storeFlagsOf, storeSettings } from "../../store-command.ts";

const linkExamples = `
Works on a stopped store, and through a running server: with --token or
OUTPOST_TOKEN, or with root's token while the data folder contains it. Whoever
has the address can sign in with it, once.

Examples:
  outpost console-link
  outpost console-link ada`;

export function addConsoleLink(program: Command): void {
  const command = program
    .command("console-link")
    .description("print an address that signs a user in to the console once");
  addSettings(command, storeSettings)
    .usage("[name or id] [flags]")
    .argument("[name or id]", "username or id; root by default")
    .addHelpText("after", linkExamples)
    .action(async (user: string | undefined, _flags: object, command: Command) => {
      const { printConsoleLink } = await import("./console-link.ts");
      await printConsoleLink(user ?? "root", storeFlagsOf({}, command));
    });
}
