import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help export`. */
const exportExamples = `
Writes one file per resource, one document per line, to read, search and
compare. It leaves out repositories and, without --secrets, everything that
gives access. To move a store, use \`outpost backup\`: it is faster and complete.

Examples:
  outpost export ./exported
  outpost export ./exported --data /srv/outpost --secrets
  jq -c 'select(.state == "blocked") | .username' exported/users.jsonl`;

export function addExport(program: Command): void {
  const verb = program.command("export").description("write the documents of a stopped store as JSON lines");
  addSettings(verb, { taken: [dataFolder("data folder to export")] })
    .usage("<folder> [flags]")
    .argument("<folder>", "folder to write to; must be empty or not exist")
    .option("--secrets", "include password hashes, tokens and mails")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", exportExamples)
    .action(async (folder: string, flags: { secrets?: true; json?: true }, command: Command) => {
      const { dataFolder } = resolveConfig(sourcesOf(command));
      const { exportStore } = await import("./export.ts");
      await exportStore({ dataFolder, folder, secrets: flags.secrets === true, json: flags.json === true });
    });
}
