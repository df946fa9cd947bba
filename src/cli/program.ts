import { Command, CommanderError } from "commander";
import { exitCodes, StartError } from "../domain/start-error.ts";
import type { AddCommand, CommandResult } from "./command.ts";
import { addAuditEvents } from "./commands/access/audit-events-command.ts";
import { addConsoleLink } from "./commands/access/console-link-command.ts";
import { addExplain } from "./commands/access/explain-command.ts";
import { addToken } from "./commands/access/token-command.ts";
import { addUser } from "./commands/access/user-command.ts";
import { addApi } from "./commands/client/api-command.ts";
import { addCompletion } from "./commands/client/completion-command.ts";
import { addConfig } from "./commands/client/config-command.ts";
import { addOpenapi } from "./commands/client/openapi-command.ts";
import { addReplay } from "./commands/client/replay-command.ts";
import { addSelftest } from "./commands/client/selftest-command.ts";
import { versionLine } from "./commands/client/version.ts";
import { addVersion } from "./commands/client/version-command.ts";
import { addBackup } from "./commands/data/backup-command.ts";
import { addCheck } from "./commands/data/check-command.ts";
import { addExport } from "./commands/data/export-command.ts";
import { addImport } from "./commands/data/import-command.ts";
import { addRestore } from "./commands/data/restore-command.ts";
import { addSeed } from "./commands/data/seed-command.ts";
import { addFixture } from "./commands/fixture/fixture-command.ts";
import { addRepository } from "./commands/repository/repository-command.ts";
import { addContainerfile } from "./commands/server/containerfile-command.ts";
import { addDashboard } from "./commands/server/dashboard-command.ts";
import { addDemo } from "./commands/server/demo-command.ts";
import { addInstallService } from "./commands/server/install-service-command.ts";
import { addServe } from "./commands/server/serve-command.ts";
import { firstScreen, helpText, withoutHelpCommand } from "./help.ts";
import { reportFailure } from "./output/report.ts";
import { print } from "./output/terminal.ts";

/** The commands by name, in the order and under the headings of the help. */
const commands: Readonly<Record<string, Readonly<Record<string, AddCommand>>>> = {
  Serving: { serve: addServe, demo: addDemo },
  Store: {
    seed: addSeed,
    backup: addBackup,
    restore: addRestore,
    export: addExport,
    import: addImport,
    check: addCheck,
    repository: addRepository,
  },
  People: { user: addUser, token: addToken, "console-link": addConsoleLink, "audit-events": addAuditEvents },
  Tests: { fixture: addFixture, replay: addReplay, selftest: addSelftest },
  Calls: { api: addApi, explain: addExplain, openapi: addOpenapi },
  Machine: {
    config: addConfig,
    "install-service": addInstallService,
    containerfile: addContainerfile,
    dashboard: addDashboard,
    completion: addCompletion,
  },
  Itself: { version: addVersion },
};

/** Runs the command in the arguments, which lack the executable, and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const outcome = { exitCode: 0 };
  const program = createProgram(outcome, argv[0]);
  const asked = withoutHelpCommand(program, argv);
  try {
    const help = argv[0] === "help" ? await helpText(program, argv.slice(1)) : undefined;
    if (help !== undefined) {
      await print(help);
      return 0;
    }
    // The words to complete may be flags of this program.
    if (argv[0] === "complete-words") {
      const { answerShell } = await import("./commands/client/completion.ts");
      await print(answerShell(program, argv.slice(1)));
      return 0;
    }
    await program.parseAsync(asked, { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, commandName(program, asked));
    if (error.exitCode === 0) return 0;
    // A command that lacks its subcommand has shown its help on stderr.
    if (error.code === "commander.help") return exitCodes.usage;
    return reportFailure(usageError(error, program, asked), commandName(program, asked));
  }
}

/** Creates only the command `asked`, since the flags of all take a tenth of a start; for another word, all commands. */
function createProgram(outcome: CommandResult, asked = ""): Command {
  const program = new Command("outpost")
    .usage("<command> [flags]")
    .description("The REST API, version 4, of a collaboration platform in one executable.")
    .optionsGroup("Flags:")
    .version(versionLine(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this, or the help of a command")
    .configureOutput({ outputError: () => {} })
    // Next to the longest flag, a narrow terminal has room for a word or two, which is better than truncated lines.
    .configureHelp({ minWidthToWrap: 12 })
    .exitOverride();
  const isOne = Object.values(commands).some((group) => Object.hasOwn(group, asked));
  for (const [heading, group] of Object.entries(commands)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, add] of Object.entries(group)) if (!isOne || name === asked) add(program, outcome);
  }
  program.helpCommand("help [name]", "list commands and topics, or print one of them");
  // The commands have copied the plain help by now.
  return program.configureHelp({ formatHelp: firstScreen });
}

/** Returns the command with its required arguments: `export FOLDER`, `token create`. */
function commandName(program: Command, [first, second]: readonly string[]): string {
  const command = program.commands.find((each) => each.name() === first);
  const below = command?.commands.find((each) => each.name() === second);
  const words = (below ?? command)?.registeredArguments.map((argument) => argument.name().toUpperCase()) ?? [];
  return [command?.name() ?? "serve", ...(below === undefined ? [] : [below.name()]), ...words].join(" ");
}

/** Converts commander's message and suggestion into an error with a hint. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): StartError {
  const command = program.commands.find((each) => each.name() === argv[0]);
  const second = command?.commands.find((each) => each.name() === argv[1]);
  const help = command === undefined ? "outpost help" : `outpost help ${command.name()}`;
  const hint = second === undefined ? help : `outpost ${command?.name()} ${second.name()} --help`;
  const asked = second ?? command;
  const example = asked !== undefined && isIncomplete.has(error.code) ? firstExample(asked) : undefined;
  return new StartError(sentenceOf(error), example ?? hint, { exitCode: exitCodes.usage });
}

/** Commander's error codes for a missing part. The hint then shows an example. */
const isIncomplete = new Set(["commander.missingArgument", "commander.missingMandatoryOptionValue"]);

function firstExample(command: Command): string | undefined {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return /^Examples?:\n {2}(.+)/m.exec(help)?.[1];
}

/** Returns commander's message, except for an invalid choice, which gets the same message as a setting's value. */
function sentenceOf({ message }: CommanderError): string {
  return message
    .replace(/^error: /, "")
    .replace(
      /^option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
      '$1 is "$2"; expected one of $3',
    )
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s,
      '<$2> is "$1"; expected one of $3',
    );
}
