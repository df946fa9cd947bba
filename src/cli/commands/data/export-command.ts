import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help export`. */
const exportExamples = `
One file for each resource, one document a line, to read, search and compare.
Repositories are not in it, and nothing that lets somebody in, unless --secrets
is given. To carry a store elsewhere, \`outpost backup\` is quicker and whole.

Examples:
  outpost export ./exported
  outpost export ./exported --data /srv/outpost --secrets
  jq -c 'select(.state == "blocked") | .username' exported/users.jsonl`;

export function addExport(program: Command): void {
  const verb = program.command("export").description("write the documents of a stopped store as JSON lines");
  addSettings(verb, { taken: [dataFolder("folder of the store that is exported")] })
    .usage("<folder> [flags]")
    .argument("<folder>", "where it goes; must be empty or not there")
    .option("--secrets", "with password hashes, tokens and mails")
    .option("--json", "tell about it in one JSON object")
    .addHelpText("after", exportExamples)
    .action(async (folder: string, flags: { secrets?: true; json?: true }, command: Command) => {
      const { dataFolder } = resolveConfig(sourcesOf(command));
      const { exportStore } = await import("./export.ts");
      await exportStore({ dataFolder, folder, secrets: flags.secrets === true, json: flags.json === true });
    });
}
