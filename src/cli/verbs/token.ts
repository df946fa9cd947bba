import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../config/config.ts";
import { settings } from "../../config/settings.ts";
import { addFamily } from "../verb.ts";
import { addSettings, sourcesOf } from "../verb-settings.ts";

/** The end of `outpost help token`. */
const tokenExamples = `
Examples:
  outpost token create --user root --scopes api
  outpost token create --help`;

/** The end of `outpost token create --help`. */
const tokenCreateExamples = `
No server is needed, and none may hold the folder: one that does is named, with
the call of the API that makes the same token, and the exit code is 1.

Examples:
  outpost token create --user root --scopes api
  outpost token create --user 1 --scopes read_api,read_user --name nightly
  outpost token create --user root --scopes api,sudo --data /srv/outpost --json`;

export function addToken(program: Command): void {
  const token = addFamily(program, {
    name: "token",
    usage: "create",
    description: "make an access token in a store that no server uses",
    examples: tokenExamples,
  });
  addSettings(token.command("create").description("make one, and print it"), {
    taken: [{ ...settings.data, help: "folder of the store" }],
  })
    .requiredOption("--user <name or id>", "whose it is")
    .requiredOption("--scopes <list>", "what it may be used for: api, read_api, read_user, sudo, …")
    .option("--name <text>", "what it is called", "Made on the command line")
    .option("--expires-at <date>", "the day on which it ends; a year from today by default, and at most")
    .option("--json", "print it with everything about it, as one JSON object")
    .addHelpText("after", tokenCreateExamples)
    .action(async (flags: GivenTokenFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { createToken } = await import("../token-create.ts");
      const { url } = resolveClient(sources);
      const { user, scopes, name, expiresAt, json } = flags;
      await createToken({ user, scopes, name, expiresAt, json: json === true, url }, resolveConfig(sources));
    });
}

interface GivenTokenFlags {
  readonly user: string;
  readonly scopes: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly json?: true;
}
