import { Command, CommanderError, Option } from "commander";
import { explainConfig, resolveClient, resolveConfig } from "../config/config.ts";
import { allSettings, settings } from "../config/settings.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import type { ExportFlags } from "./audit-events-export.ts";
import {
  apiExamples,
  auditEventsExamples,
  auditEventsExportExamples,
  checkExamples,
  configExamples,
  demoExamples,
  examples,
  openapiExamples,
  serveExamples,
  tokenCreateExamples,
  tokenExamples,
  versionExamples,
} from "./examples.ts";
import { reportFailure } from "./report.ts";
import { addSettings, sourcesOf } from "./verb-settings.ts";
import { versionJson, versionLine } from "./version.ts";

/** The demo's own folder, so that it never mixes with real data. */
const demoDefaults = { data: "./data/demo" };

/** Runs the verb that the arguments (without the executable) ask for and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const outcome = { exitCode: 0 };
  const program = createProgram(outcome);
  try {
    await program.parseAsync(argv.length === 0 ? ["help"] : withoutVainHelp(program, argv), { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error);
    if (error.exitCode === 0) return 0;
    // A verb without the one that it needs has shown its help on stderr.
    return error.code === "commander.help" ? exitCodes.usage : reportFailure(usageError(error, program, argv));
  }
}

/** `help nope` becomes `nope`: commander would show the general help in place of saying that there is no such verb. */
function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, about] = argv;
  const isVain = first === "help" && about !== undefined && !program.commands.some((verb) => verb.name() === about);
  return isVain ? argv.slice(1) : argv;
}

/** What a verb sets when it is done. */
interface Outcome {
  exitCode: number;
}

function createProgram(outcome: Outcome): Command {
  const program = new Command("outpost")
    .usage("<verb> [flags]")
    .description("The REST API, version 4, of a collaboration platform in one executable.")
    .commandsGroup("Verbs:")
    .optionsGroup("Flags:")
    .version(versionLine(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this, or what a verb takes")
    .helpCommand("help [verb]", "print this, or what a verb takes")
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText("after", examples);
  addServe(program);
  addDemo(program);
  addApi(program, outcome);
  addToken(program);
  addAuditEvents(program);
  addCheck(program, outcome);
  addConfig(program);
  addOpenapi(program);
  program
    .command("version")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print the version")
    .option("--json", "print it as one JSON object")
    .addHelpText("after", versionExamples)
    .action(({ json }: { json?: true }) => console.log(json === true ? versionJson() : versionLine()));
  // Two flags that everybody knows are worth no four lines of the first screen. Verbs have copied the plain help by now.
  return program.configureHelp({ subcommandTerm: (verb) => verb.name(), visibleOptions: () => [] });
}

function addServe(program: Command): void {
  addSettings(program.command("serve").description("answer requests until Ctrl-C or SIGTERM"))
    .addHelpText("after", serveExamples)
    .action(async (_options: object, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { serve } = await import("./serve.ts");
      await serve(config);
    });
}

function addDemo(program: Command): void {
  addSettings(program.command("demo").description("serve a folder of its own, with people in it to try"), {
    defaults: demoDefaults,
  })
    .addHelpText("after", demoExamples)
    .action(async (_options: object, command: Command) => {
      const config = resolveConfig(sourcesOf(command, demoDefaults));
      const { demo } = await import("./demo.ts");
      await demo(config);
    });
}

function addApi(program: Command, outcome: Outcome): void {
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
        ...resolveClient(sources),
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

function addToken(program: Command): void {
  const token = program
    .command("token")
    .usage("create [flags]")
    .commandsGroup("Verbs:")
    .optionsGroup("Flags:")
    .helpCommand(false)
    .description("make an access token in a store that no server uses")
    .configureHelp({ subcommandTerm: (verb) => verb.name() })
    .addHelpText("after", tokenExamples);
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
      const { createToken } = await import("./token-create.ts");
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

function addAuditEvents(program: Command): void {
  const verb = program
    .command("audit-events")
    .usage("export [flags]")
    .commandsGroup("Verbs:")
    .optionsGroup("Flags:")
    .helpCommand(false)
    .description("take the audit events out of a store that no server uses")
    .configureHelp({ subcommandTerm: (each) => each.name() })
    .addHelpText("after", auditEventsExamples);
  addSettings(verb.command("export").description("print them, oldest first"), {
    taken: [{ ...settings.data, help: "folder of the store" }],
  })
    .addOption(new Option("--format <name>", "a JSON object a line, or CSV").choices(["jsonl", "csv"]).default("jsonl"))
    .option("--from <time>", "the first moment, as 2027-01-31 or 2027-01-31T09:30:00Z")
    .option("--to <time>", "the last moment")
    .option("--entity <type[:id]>", "what they are about: Project:12, Group:9, User:7, or a type alone")
    .addHelpText("after", auditEventsExportExamples)
    .action(async (flags: ExportFlags, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { exportAuditEvents } = await import("./audit-events-export.ts");
      await exportAuditEvents(flags, config);
    });
}

function addCheck(program: Command, outcome: Outcome): void {
  addSettings(program.command("check").description("look for damage in a store that no server uses"), {
    taken: [settings.data],
  })
    .option("--repair", "set damaged parts aside, keep what can be read, and say what was done")
    .option("--json", "print the findings as one JSON object")
    .addHelpText("after", checkExamples)
    .action(async (flags: { data?: string; repair?: boolean; json?: boolean }, command: Command) => {
      const { dataFolder } = resolveConfig(sourcesOf(command));
      const { check } = await import("./check.ts");
      outcome.exitCode = await check({ folder: dataFolder, repair: flags.repair === true, json: flags.json === true });
    });
}

function addConfig(program: Command): void {
  addSettings(program.command("config").description("print every setting, and where its value comes from"), {
    taken: allSettings,
  })
    .option("--json", "print them as one JSON object")
    .addHelpText("after", configExamples)
    .action(async (flags: { json?: boolean }, command: Command) => {
      const { config } = await import("./config.ts");
      await config({ settings: explainConfig(sourcesOf(command)), json: flags.json === true });
    });
}

function addOpenapi(program: Command): void {
  program
    .command("openapi")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print the API's description as an OpenAPI document")
    .option("-o, --out <file>", "write it there instead")
    .addHelpText("after", openapiExamples)
    .action(async ({ out }: { out?: string }) => {
      const { openapi } = await import("./openapi.ts");
      await openapi({ file: out });
    });
}

/** Commander's sentence, with the nearest name that it adds, as an error with a cure. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): StartError {
  const verb = program.commands.find((command) => command.name() === argv[0]);
  const second = verb?.commands.find((command) => command.name() === argv[1]);
  const help = verb === undefined ? "outpost help" : `outpost help ${verb.name()}`;
  const cure = second === undefined ? help : `outpost ${verb?.name()} ${second.name()} --help`;
  return new StartError(error.message.replace(/^error: /, ""), cure, { exitCode: exitCodes.usage });
}
