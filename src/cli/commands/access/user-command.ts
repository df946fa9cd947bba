import { type Command, Option } from "commander";
import { addFamily } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { liveOrStopped, storeFlagsOf, storeSettings } from "../../store-command.ts";

const examples = `
Examples:
  outpost user create --username eve --email eve@skylark.example --admin
  outpost user list --search ada
  outpost user block ada
  outpost user create --help`;

const states = {
  block: "block a user from signing in and calling the API",
  unblock: "unblock a user",
  deactivate: "deactivate a dormant user",
  activate: "activate a deactivated user",
  ban: "ban a user and hide their contributions",
  unban: "unban a user",
} as const;

export function addUser(program: Command): void {
  const user = addFamily(program, {
    name: "user",
    usage: "list | show | create | modify | delete | block | …",
    description: "list, create, change and delete users",
    examples,
  });
  addList(user);
  addShow(user);
  addCreate(user);
  addModify(user);
  addPromote(user);
  addPassword(user);
  addDelete(user);
  for (const change of ["block", "unblock", "deactivate", "activate", "ban", "unban"] as const) addState(user, change);
}

function addList(user: Command): void {
  addSettings(user.command("list").description("list users"), storeSettings)
    .option("--search <text>", "part of a name or username, or a complete e-mail address")
    .option("--state <name>", "active, blocked, blocked_pending_approval, banned or deactivated")
    .option("--admins", "administrators only")
    .option("--json", "print a JSON array")
    .addHelpText(
      "after",
      `${liveOrStopped}\n\nExamples:\n  outpost user list\n  outpost user list --state blocked --json`,
    )
    .action(async (flags: GivenFlags, command: Command) => {
      const { listUsers } = await import("./user.ts");
      const { search, state } = flags;
      await listUsers({ ...storeFlagsOf(flags, command), search, state, admins: flags.admins === true });
    });
}

function addShow(user: Command): void {
  withUser(user.command("show").description("show a user"))
    .addHelpText("after", `${liveOrStopped}\n\nExamples:\n  outpost user show root\n  outpost user show 1 --json`)
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { showUser } = await import("./user.ts");
      await showUser({ ...storeFlagsOf(flags, command), user: given });
    });
}

const createExamples = `
Without a password flag the user has no password, but can use tokens.
${liveOrStopped}

Examples:
  outpost user create --username eve --email eve@skylark.example
  outpost user create --username ops --email ops@skylark.example --admin --random-password
  pass show bo | outpost user create --username bo --email bo@skylark.example --password-stdin`;

function addCreate(user: Command): void {
  addSettings(user.command("create").description("create a user"), storeSettings)
    .requiredOption("--username <text>", "name to sign in with")
    .requiredOption("--email <address>", "e-mail address, taken as confirmed")
    .option("--name <text>", "display name; by default the username")
    .option("--admin", "make an administrator")
    .option("--external", "make an external user")
    .addOption(new Option("--random-password", "generate a password and print it").conflicts("passwordStdin"))
    .option("--password-stdin", "read the password from stdin")
    .option("--json", "print the user as one JSON object")
    .addHelpText("after", createExamples)
    .action(async (flags: GivenFlags & { username: string; email: string }, command: Command) => {
      const { create } = await import("./user.ts");
      const { username, email, name, admin, external } = flags;
      const passwords = {
        randomPassword: flags.randomPassword === true,
        passwordStdin: flags.passwordStdin === true,
      };
      const attributes = { username, email, name, admin, external };
      await create({ ...storeFlagsOf(flags, command), attributes, ...passwords });
    });
}

function addModify(user: Command): void {
  withUser(user.command("modify").description("change a user"))
    .option("--username <text>", "name to sign in with")
    .option("--email <address>", "e-mail address, taken as confirmed")
    .option("--name <text>", "display name")
    .option("--admin", "make an administrator")
    .option("--no-admin", "make the user no administrator")
    .option("--external", "make an external user")
    .option("--no-external", "make the user not external")
    .addHelpText(
      "after",
      `${liveOrStopped}\n\nExamples:\n  outpost user modify ada --admin\n  outpost user modify ada --no-admin --name "Ada Vale"`,
    )
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { modify } = await import("./user.ts");
      const { username, email, name } = flags;
      // Commander may set a default for a flag with a `--no-` form, which does not count as given.
      const [admin, external] = (["admin", "external"] as const).map((flag) =>
        command.getOptionValueSource(flag) === "cli" ? flags[flag] : undefined,
      );
      const attributes = { username, email, name, admin, external };
      await modify({ ...storeFlagsOf(flags, command), user: given, attributes });
    });
}

function addPromote(user: Command): void {
  withUser(user.command("promote").description("make an active user an administrator"))
    .addHelpText(
      "after",
      `
Use it if there is no administrator any more. It does not change the state of a
user: unblock, unban or activate the user first.
${liveOrStopped}

Examples:
  outpost user promote ada`,
    )
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { promote } = await import("./user.ts");
      await promote({ ...storeFlagsOf(flags, command), user: given });
    });
}

function addPassword(user: Command): void {
  withUser(user.command("password").description("set a password: a generated one, or one from stdin"))
    .option("--password-stdin", "read the password from stdin")
    .addHelpText(
      "after",
      `
The user must choose another password after signing in with it.
${liveOrStopped}

Examples:
  outpost user password ada
  pass show ada | outpost user password ada --password-stdin`,
    )
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { setPassword } = await import("./user.ts");
      const passwordStdin = flags.passwordStdin === true;
      await setPassword({ ...storeFlagsOf(flags, command), user: given, passwordStdin });
    });
}

function addDelete(user: Command): void {
  withUser(user.command("delete").description("delete a user"))
    .option("--hard-delete", "delete their contributions and personal projects as well")
    .addHelpText(
      "after",
      `
Without --hard-delete, issues and comments stay and belong to the ghost user.
Outpost deletes in the background.
${liveOrStopped}

Examples:
  outpost user delete ada
  outpost user delete mal --hard-delete`,
    )
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { deleteUser } = await import("./user.ts");
      await deleteUser({ ...storeFlagsOf(flags, command), user: given, isHard: flags.hardDelete === true });
    });
}

function addState(user: Command, change: keyof typeof states): void {
  withUser(user.command(change).description(states[change]))
    .addHelpText(
      "after",
      `${liveOrStopped}\n\nExamples:\n  outpost user ${change} ${change === "unban" ? "mal" : "ada"}`,
    )
    .action(async (given: string, flags: GivenFlags, command: Command) => {
      const { changeState } = await import("./user.ts");
      await changeState({ ...storeFlagsOf(flags, command), user: given, change });
    });
}

function withUser(command: Command): Command {
  return addSettings(command, storeSettings)
    .usage("<name or id> [flags]")
    .argument("<name or id>", "username or id")
    .option("--json", "print the user as one JSON object");
}

interface GivenFlags {
  readonly search?: string;
  readonly state?: string;
  readonly admins?: true;
  readonly username?: string;
  readonly email?: string;
  readonly name?: string;
  readonly admin?: boolean;
  readonly external?: boolean;
  readonly randomPassword?: true;
  readonly passwordStdin?: true;
  readonly hardDelete?: true;
  readonly json?: true;
}
