import { type Command, Option } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import type { CommandResult } from "../../command.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

const apiExamples = `
Prints the status to stderr and the body to stdout. Sends --token or
OUTPOST_TOKEN. Without them, and only to this machine, it sends root's token:
from initial-root-credentials in the data folder, or from OUTPOST_ROOT_TOKEN.

The slashes in the path of a project or group may stay as they are.

Exit code 0: the server answered 2xx. 4: 4xx. 5: 5xx. 1: no answer, or another.

Examples:
  outpost api GET /user
  outpost api GET /users -F search=mara --paginate
  outpost api GET projects/skylark/firmware/anemometer/issues -i
  outpost api PUT projects/skylark/firmware/anemometer -F avatar=@station.png
  outpost api POST /user/personal_access_tokens -F name=x -F scopes=self_rotate
  outpost api PUT /application/settings -d '{"signup_enabled":false}'`;

export function addApi(program: Command, outcome: CommandResult): void {
  // `-d` means the body here, as in curl.
  const { short: _, ...folder } = settings.data;
  const data = { ...folder, help: "data folder of that server, which may contain root's token" };
  const command = program.command("api").description("call a running server, as curl would");
  addSettings(command, { taken: [settings.url, settings.token, settings.cacert, data] })
    .usage("<method> <path> [flags]")
    .argument("<method>", "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS")
    .argument("<path>", "path below /api/v4, unless it begins with /api/ or /-/")
    .option("-F, --form <key=value>", "part of the query or the form; key=@path sends a file; repeatable", gather)
    .option("-d, --body <json>", "JSON body; - reads it from stdin")
    .option("-H, --header <name: value>", "header of the request; repeatable", gather)
    .addOption(new Option("-i, --include", "print the status and the headers, too").conflicts("paginate"))
    .addOption(new Option("--paginate", "get every page of a list, and print one array").conflicts(["raw", "body"]))
    .addOption(new Option("--json", "indent JSON, as on a terminal").conflicts("raw"))
    .option("--raw", "print the body as the server sent it, as in a pipe")
    .addHelpText("after", apiExamples)
    .action(async (method: string, path: string, flags: GivenApiFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { dataFolder, rootToken } = resolveConfig(sources);
      const { api } = await import("./api.ts");
      outcome.exitCode = await api({
        client: resolveClient(sources),
        method,
        path,
        fields: flags.form ?? [],
        headers: flags.header ?? [],
        include: flags.include === true,
        paginate: flags.paginate === true,
        body: flags.body,
        layout: flags.json === true ? "indented" : flags.raw === true ? "as sent" : undefined,
        dataFolder,
        rootToken,
      });
    });
}

interface GivenApiFlags {
  readonly form?: readonly string[];
  readonly header?: readonly string[];
  readonly include?: true;
  readonly paginate?: true;
  readonly body?: string;
  readonly json?: true;
  readonly raw?: true;
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
