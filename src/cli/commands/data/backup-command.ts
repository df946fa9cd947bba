import { type Command, Option } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help backup`. */
const backupExamples = `
Of a folder that no server uses, the archive is made at once; of any other by
the server that holds it, which goes on answering. The token is found as for
\`outpost api\`; --url asks that server whatever the folder says. The archive
holds password hashes and tokens: keep it as safe as the folder.

Exit code 0: written, and read again to its end. 3: --verify found damage.

Examples:
  outpost backup
  outpost backup -o /backups/monday.tar.gz
  outpost backup -o - --url https://outpost.example | ssh vault 'cat > o.tar.gz'
  outpost backup --verify /backups/monday.tar.gz`;

export function addBackup(program: Command): void {
  const verb = program.command("backup").description("write everything into one archive, of a running server too");
  addSettings(verb, {
    taken: [
      dataFolder("folder of the store that is written into the archive"),
      settings.repositoryStorages,
      { ...settings.url, help: "server that is asked, whatever the folder says" },
      settings.token,
    ],
  })
    .option("-o, --out <file>", "write it there, - for stdout; otherwise outpost-<time>.tar.gz, here")
    .addOption(new Option("--verify <file>", "prove that an archive is whole, and write none").conflicts("out"))
    .option("--json", "tell about it in one JSON object")
    .addHelpText("after", backupExamples)
    .action(async (flags: { out?: string; verify?: string; json?: true }, command: Command) => {
      const sources = sourcesOf(command);
      const [config, client] = [resolveConfig(sources), resolveClient(sources)];
      const { backup, verifyBackup } = await import("./backup.ts");
      const json = flags.json === true;
      if (flags.verify !== undefined) return verifyBackup(flags.verify, json);
      return backup({ config, client, out: flags.out, json });
    });
}
