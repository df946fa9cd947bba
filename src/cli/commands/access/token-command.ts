import type { Command } from "commander";
import { addFamily } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { askedOf, configOf, stoppedOnly, storeFolder } from "../../offline-command.ts";

const examples = `
Examples:
  outpost token create --user root --scopes api
  outpost token list --user root
  outpost token create --help`;

const createExamples = `${stoppedOnly}

Examples:
  outpost token create --user root --scopes api
  outpost token create --user 1 --scopes read_api,read_user --name nightly
  outpost token create --user root --scopes api,sudo --data /srv/outpost --json`;

const listExamples = `${stoppedOnly}

Examples:
  outpost token list
  outpost token list --user root --all
  outpost token list --json | jq -r '.[].name'`;

const revokeExamples = `${stoppedOnly}

Examples:
  outpost token revoke 12`;

const rotateExamples = `${stoppedOnly}

Examples:
  outpost token rotate 12
  outpost token rotate 12 --expires-at 2027-06-30`;

export function addToken(program: Command): void {
  const token = addFamily(program, {
    name: "token",
    usage: "create | list | revoke | rotate",
    description: "make, list, end and renew access tokens of a stopped store",
    examples,
  });
  addCreate(token);
  addList(token);
  addRevoke(token);
  addRotate(token);
}

function addCreate(token: Command): void {
  addSettings(token.command("create").description("make one, and print it"), storeFolder)
    .requiredOption("--user <name or id>", "whose it is")
    .requiredOption("--scopes <list>", "what it may be used for: api, read_api, read_user, sudo, …")
    .option("--name <text>", "what it is called", "Made on the command line")
    .option("--expires-at <date>", "the day on which it ends; a year from today by default, and at most")
    .option("--json", "print it with everything about it, as one JSON object")
    .addHelpText("after", createExamples)
    .action(async (flags: GivenFlags & { user: string; scopes: string; name: string }, command: Command) => {
      const { createToken } = await import("./token.ts");
      const { user, scopes, name, expiresAt } = flags;
      await createToken({ ...askedOf(flags, command), user, scopes, name, expiresAt }, configOf(command));
    });
}

function addList(token: Command): void {
  addSettings(token.command("list").description("list those that work"), storeFolder)
    .option("--user <name or id>", "those of one user")
    .option("--all", "those that are revoked or expired, too")
    .option("--json", "print them as a JSON array")
    .addHelpText("after", listExamples)
    .action(async (flags: GivenFlags, command: Command) => {
      const { listTokens } = await import("./token.ts");
      await listTokens({ ...askedOf(flags, command), user: flags.user, all: flags.all === true }, configOf(command));
    });
}

function addRevoke(token: Command): void {
  addSettings(token.command("revoke").description("end one at once"), storeFolder)
    .usage("<id> [flags]")
    .argument("<id>", "as `outpost token list` has it")
    .option("--json", "print it as one JSON object")
    .addHelpText("after", revokeExamples)
    .action(async (id: string, flags: GivenFlags, command: Command) => {
      const { revoke } = await import("./token.ts");
      await revoke({ ...askedOf(flags, command), id }, configOf(command));
    });
}

function addRotate(token: Command): void {
  addSettings(token.command("rotate").description("make a new one in the place of one that ends"), storeFolder)
    .usage("<id> [flags]")
    .argument("<id>", "as `outpost token list` has it")
    .option("--expires-at <date>", "the day on which the new one ends; a week from today by default")
    .option("--json", "print it with everything about it, as one JSON object")
    .addHelpText("after", rotateExamples)
    .action(async (id: string, flags: GivenFlags, command: Command) => {
      const { rotate } = await import("./token.ts");
      await rotate({ ...askedOf(flags, command), id, expiresAt: flags.expiresAt }, configOf(command));
    });
}

interface GivenFlags {
  readonly user?: string;
  readonly all?: true;
  readonly expiresAt?: string;
  readonly json?: true;
}
