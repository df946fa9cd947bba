import type { Command } from "commander";
import type { CommandResult } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { storeFlagsOf, storeSettings } from "../../store-command.ts";

const checkExamples = `
If a server uses the folder, the command checks a backup that the server makes,
and names what it cannot check there: it needs a token as \`outpost backup\`
does, and space in the folder that TMPDIR names, or /tmp. --repair works on a
stopped store only.

Exit code 0: sound, or repaired. Exit code 3: damaged.

Examples:
  outpost check
  outpost check --data /srv/outpost --repair`;

export function addCheck(program: Command, outcome: CommandResult): void {
  addSettings(program.command("check").description("look for damage in a store"), storeSettings)
    .option("--repair", "set damaged parts aside, keep what can be read, and print what was done")
    .option("--json", "print the findings as one JSON object")
    .addHelpText("after", checkExamples)
    .action(async (flags: { repair?: true; json?: true }, command: Command) => {
      const { check } = await import("./check.ts");
      outcome.exitCode = await check({ ...storeFlagsOf(flags, command), repair: flags.repair === true });
    });
}
