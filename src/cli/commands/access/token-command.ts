import type { Command } from "commander";
import { addFamily } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { liveOrStopped, storeFlagsOf, storeSettings } from "../../store-command.ts";

const examples = `
Examples:
  outpost token create --user root --scopes api
  outpost token list --user root
  outpost token create --help`;

const createExamples = `${liveOrStopped}

Examples:
  outpost token create --user root --scopes api
  outpost token create --user 1 --scopes read_api,read_user --name nightly
  outpost token create --user root --scopes api,sudo --data /srv/outpost --json`;

const listExamples = `${liveOrStopped}

Examples:
  outpost token list
  outpost token list --user root --all
  outpost token list --json | jq -r '.[].name'`;

const revokeExamples = `${liveOrStopped}

Examples:
  outpost token revoke 12`;

const rotateExamples = `${liveOrStopped}

Examples:
  outpost token rotate 12
  outpost token rotate 12 --expires-at 2027-06-30`;

export function addToken(program: Command): void {
  const token = addFamily(program, {
    name: "token",
    usage: "create | list | revoke | rotate",
    description: "create, list, revoke and rotate tokens",
    examples,
  });
  addCreate(token);
  addList(token);
  addRevoke(token);
  addRotate(token);
}

function addCreate(token: Command): void {
  addSettings(token.command("create").description("create a token and print it"), storeSettings)
    .requiredOption("--user <name or id>", "owner of the token")
    .requiredOption("--scopes <list>", "scopes: api, read_api, read_user, sudo, …")
    .option("--name <text>", "name of the token", "Made on the command line")
    .option("--expires-at <date>", "expiry date; by default and at most a year from today")
    .option("--json", "print the token and its attributes as one JSON object")
    .addHelpText("after", createExamples)
    .action(async (flags: GivenFlags & { user: string; scopes: string; name: string }, command: Command) => {
      const { createToken } = await import("./token.ts");
      const { user, scopes, name, expiresAt } = flags;
      await createToken({ ...storeFlagsOf(flags, command), user, scopes, name, expiresAt });
    });
}

function addList(token: Command): void {
  addSettings(token.command("list").description("list active tokens"), storeSettings)
    .option("--user <name or id>", "only tokens of this user")
    .option("--all", "also list revoked and expired tokens")
    .option("--json", "print a JSON array")
    .addHelpText("after", listExamples)
    .action(async (flags: GivenFlags, command: Command) => {
      const { listTokens } = await import("./token.ts");
      await listTokens({ ...storeFlagsOf(flags, command), user: flags.user, all: flags.all === true });
    });
}

function addRevoke(token: Command): void {
  addSettings(token.command("revoke").description("revoke a token"), storeSettings)
    .usage("<id> [flags]")
    .argument("<id>", "id from `outpost token list`")
    .option("--json", "print one JSON object")
    .addHelpText("after", revokeExamples)
    .action(async (id: string, flags: GivenFlags, command: Command) => {
      const { revoke } = await import("./token.ts");
      await revoke({ ...storeFlagsOf(flags, command), id });
    });
}

function addRotate(token: Command): void {
  addSettings(
    token.command("rotate").description("rotate a token: create a new one and revoke the old one"),
    storeSettings,
  )
    .usage("<id> [flags]")
    .argument("<id>", "id from `outpost token list`")
    .option("--expires-at <date>", "expiry date of the new token; by default a week from today")
    .option("--json", "print the token and its attributes as one JSON object")
    .addHelpText("after", rotateExamples)
    .action(async (id: string, flags: GivenFlags, command: Command) => {
      const { rotate } = await import("./token.ts");
      await rotate({ ...storeFlagsOf(flags, command), id, expiresAt: flags.expiresAt });
    });
}

interface GivenFlags {
  readonly user?: string;
  readonly all?: true;
  readonly expiresAt?: string;
  readonly json?: true;
}
