import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import type { CommandResult } from "../../command.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

const replayExamples = `
Sends the requests of an HTTP Archive again, in their order, and prints which
answers differ. Ids, times, digests and tokens may differ: later requests use
the ids and tokens that this server returned. A recording has no secrets: root's
token is --token, OUTPOST_TOKEN or, on this machine, that of the data folder;
--as gives the tokens of other users.

Exit code 0: all answers are as recorded. 1: one differs, or a call was skipped.

Examples:
  outpost replay run.har
  outpost replay run.har --json
  outpost replay run.har --as "mara=$TOKEN"`;

export function addReplay(program: Command, outcome: CommandResult): void {
  const data = { ...settings.data, help: "data folder of that server, which may contain root's token" };
  const command = program
    .command("replay")
    .argument("<file>", "HTTP Archive, as --record and the sandbox write it")
    .description("send recorded requests again and compare the answers");
  addSettings(command, { taken: [settings.url, settings.token, settings.cacert, data] })
    .option("--as <username=token>", "token of this user; repeatable", gather)
    .option("--json", "print one JSON object")
    .addHelpText("after", replayExamples)
    .action(async (file: string, flags: GivenFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { dataFolder, rootToken } = resolveConfig(sources);
      const { replay } = await import("./replay/replay.ts");
      outcome.exitCode = await replay({
        ...{ file, dataFolder, rootToken, client: resolveClient(sources) },
        tokens: flags.as ?? [],
        isJson: flags.json === true,
      });
    });
}

interface GivenFlags {
  readonly as?: readonly string[];
  readonly json?: true;
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
