import { type Command, Option } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import type { Outcome } from "../../command.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help api`. */
const apiExamples = `
The status goes to stderr, the body to stdout. The token is --token, or
OUTPOST_TOKEN, or for a server on this machine root's: from the data folder's
initial-root-credentials, else OUTPOST_ROOT_TOKEN.

Exit code 0: answered 2xx. 4: 4xx. 5: 5xx. 1: no answer, or any other.

Examples:
  outpost api GET /user
  outpost api GET /users -F search=mara -F per_page=5
  outpost api POST /user/personal_access_tokens -F name=x -F scopes=self_rotate
  outpost api PUT /application/settings -d '{"signup_enabled":false}'`;

export function addApi(program: Command, outcome: Outcome): void {
  // -d is the body here, as it is for curl.
  const { short: _, ...folder } = settings.data;
  const data = { ...folder, help: "folder of that server, where root's token may lie" };
  const verb = program.command("api").description("call a running server, as curl would");
  addSettings(verb, { taken: [settings.url, settings.token, data] })
    .usage("<method> <path> [flags]")
    .argument("<method>", "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS")
    .argument("<path>", "below /api/v4, unless it begins with /api/ or /-/")
    .option("-F, --field <key=value>", "part of the query or the form; again for more", gather)
    .option("-d, --body <json>", "body, as JSON; - for what comes in on stdin")
    .addOption(new Option("--json", "indent JSON, as on a terminal").conflicts("raw"))
    .option("--raw", "print the body as it was sent, as in a pipe")
    .addHelpText("after", apiExamples)
    .action(async (method: string, path: string, flags: GivenApiFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { dataFolder, rootToken } = resolveConfig(sources);
      const { api } = await import("./api.ts");
      outcome.exitCode = await api({
        client: resolveClient(sources),
        method,
        path,
        fields: flags.field ?? [],
        body: flags.body,
        layout: flags.json === true ? "indented" : flags.raw === true ? "as sent" : undefined,
        dataFolder,
        rootToken,
      });
    });
}

interface GivenApiFlags {
  readonly field?: readonly string[];
  readonly body?: string;
  readonly json?: true;
  readonly raw?: true;
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
