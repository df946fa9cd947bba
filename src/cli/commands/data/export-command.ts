import type { Command } from "commander";
import { addSettings } from "../../command-settings.ts";
import { storeFlagsOf, storeSettings } from "../../store-command.ts";

const exportExamples = `
Writes one file per resource, one document per line, to read, search and
compare. It leaves out repositories and, without --secrets, everything that
gives access. To move a store, use \`outpost backup\`: it is faster and complete.

If a server uses the folder, the command exports a backup that the server makes:
it needs a token as \`outpost backup\` does, and space in the folder that TMPDIR
names, or /tmp.

Examples:
  outpost export ./exported
  outpost export ./exported --data /srv/outpost --secrets
  jq -c 'select(.state == "blocked") | .username' exported/users.jsonl`;

export function addExport(program: Command): void {
  const command = program.command("export").description("write the documents of a store as JSON lines");
  addSettings(command, storeSettings)
    .usage("<folder> [flags]")
    .argument("<folder>", "folder to write to; must be empty or not exist")
    .option("--secrets", "include password hashes, tokens and mails")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", exportExamples)
    .action(async (folder: string, flags: { secrets?: true; json?: true }, command: Command) => {
      const { exportStore } = await import("./export.ts");
      await exportStore({ ...storeFlagsOf(flags, command), folder, secrets: flags.secrets === true });
    });
}
