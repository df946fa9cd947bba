import { type Command, Option } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

const backupExamples = `
If a server uses the folder, that server creates the archive and continues to
answer; otherwise this command does. It finds the token like \`outpost api\`;
--url chooses the server. The archive contains password hashes and tokens: keep
it as safe as the folder.

Exit code 0: written and verified. 3: --verify found damage.

Examples:
  outpost backup
  outpost backup -o /backups/monday.tar.gz
  outpost backup -o - --url https://outpost.example | ssh vault 'cat > o.tar.gz'
  outpost backup --verify /backups/monday.tar.gz`;

export function addBackup(program: Command): void {
  const command = program.command("backup").description("write the whole store into one archive");
  addSettings(command, {
    taken: [
      dataFolder("data folder to back up"),
      settings.repositoryStorages,
      { ...settings.url, help: "server to call instead of the one that uses the folder" },
      settings.token,
      settings.cacert,
    ],
  })
    .option("-o, --out <file>", "file to write, - for stdout; by default outpost-<time>.tar.gz")
    .addOption(new Option("--verify <file>", "verify an archive, and write none").conflicts("out"))
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", backupExamples)
    .action(async (flags: { out?: string; verify?: string; json?: true }, command: Command) => {
      const sources = sourcesOf(command);
      const [config, client] = [resolveConfig(sources), resolveClient(sources)];
      const { backup, verifyBackup } = await import("./backup.ts");
      const json = flags.json === true;
      if (flags.verify !== undefined) return verifyBackup(flags.verify, json);
      return backup({ command: sources.command, config, client, out: flags.out, json });
    });
}
