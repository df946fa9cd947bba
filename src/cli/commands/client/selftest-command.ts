import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import type { CommandResult } from "../../command.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

const selftestExamples = `
Calls every operation of the API, and checks the answers against the contract:
status, fields and their types, headers, and who is refused. It creates a group
and users, works with them, and removes them at the end, also after Ctrl-C.
The server may be any that serves this API. It sends --token, OUTPOST_TOKEN or,
only to this machine, root's token, as outpost api does.

An area is a part of the API. Calls are skipped that need a higher edition, the
token of an administrator, or Outpost.

Exit code 0: all passed. 1: a call failed, something is left, or no answer.

Examples:
  outpost selftest
  outpost selftest --area labels --area issues
  outpost selftest --json`;

export function addSelftest(program: Command, outcome: CommandResult): void {
  const data = { ...settings.data, help: "data folder of that server, which may contain root's token" };
  const command = program.command("selftest").description("check a running server against the contract of the API");
  addSettings(command, { taken: [settings.url, settings.token, settings.cacert, data] })
    .option("--area <name>", "check this area only; repeatable", gather)
    .option("--json", "print one JSON object")
    .option("--keep", "leave the group and the users on the server")
    .addHelpText("after", selftestExamples)
    .action(async (flags: GivenFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { dataFolder, rootToken } = resolveConfig(sources);
      const { selftest } = await import("./selftest.ts");
      outcome.exitCode = await selftest({
        client: resolveClient(sources),
        dataFolder,
        rootToken,
        areas: flags.area ?? [],
        isJson: flags.json === true,
        isKept: flags.keep === true,
      });
    });
}

interface GivenFlags {
  readonly area?: readonly string[];
  readonly json?: true;
  readonly keep?: true;
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
