import { Command, CommanderError, Option } from "commander";
import { type Config, resolveConfig } from "../config/config.ts";
import { allSettings, defaultOf, type Setting, settings, variableOf } from "../config/settings.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { checkExamples, demoExamples, examples, openapiExamples, serveExamples, versionExamples } from "./examples.ts";
import { reportFailure } from "./report.ts";
import { isWatched } from "./terminal.ts";
import { versionLine } from "./version.ts";

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
    return error.exitCode === 0 ? 0 : reportFailure(usageError(error, program, argv));
  }
}

/** `help nope` becomes `nope`: commander would show the general help in place of saying that there is no such verb. */
function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, about] = argv;
  const isVain = first === "help" && about !== undefined && !program.commands.some((verb) => verb.name() === about);
  return isVain ? argv.slice(1) : argv;
}

function createProgram(outcome: { exitCode: number }): Command {
  const program = new Command("outpost")
    .usage("<verb> [flags]")
    .description("A collaboration platform's REST API, version 4, from one executable and one folder.")
    .commandsGroup("Verbs:")
    .optionsGroup("Flags:")
    .version(versionLine(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this, or what a verb takes")
    .helpCommand("help [verb]", "print this, or what a verb takes")
    .configureHelp({ subcommandTerm: (verb) => verb.name() })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText("after", examples);
  addSettings(program.command("serve").description("answer requests until Ctrl-C or SIGTERM"))
    .addHelpText("after", serveExamples)
    .action(async (_options: object, command: Command) => {
      const config = readConfig(command);
      const { serve } = await import("./serve.ts");
      await serve(config);
    });
  addSettings(program.command("demo").description("serve a folder of its own, with people in it to try"), demoDefaults)
    .addHelpText("after", demoExamples)
    .action(async (_options: object, command: Command) => {
      const config = readConfig(command, demoDefaults);
      const { demo } = await import("./demo.ts");
      await demo(config);
    });
  addSettings(program.command("check").description("look for damage in a store that no server uses"), {}, [
    settings.data,
  ])
    .option("--repair", "set damaged parts aside, keep what can be read, and say what was done")
    .option("--json", "print the findings as one JSON object")
    .addHelpText("after", checkExamples)
    .action(async (flags: { data?: string; repair?: boolean; json?: boolean }, command: Command) => {
      const { dataFolder } = readConfig(command);
      const { check } = await import("./check.ts");
      outcome.exitCode = await check({ folder: dataFolder, repair: flags.repair === true, json: flags.json === true });
    });
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
  program
    .command("version")
    .usage("")
    .description("print the version")
    .addHelpText("after", versionExamples)
    .action(() => console.log(versionLine()));
  return program;
}

/** Settings as flags of the verb. */
function addSettings(
  verb: Command,
  defaults: Readonly<Record<string, string>> = {},
  taken: readonly Setting<unknown>[] = allSettings,
): Command {
  verb.usage("[flags]").optionsGroup("Flags:");
  for (const setting of taken) {
    const short = setting.short === undefined ? "" : `-${setting.short}, `;
    const fallback = defaults[setting.flag] ?? defaultOf(setting);
    const flags = `${short}--${setting.flag} <${setting.placeholder}>`;
    verb.addOption(new Option(flags, `${setting.help} [${describeSource(setting, fallback)}]`));
  }
  return verb;
}

function describeSource(setting: Setting<unknown>, fallback: string | undefined): string {
  return fallback === undefined ? variableOf(setting) : `${variableOf(setting)}, else ${fallback}`;
}

function readConfig(command: Command, defaults: Readonly<Record<string, string>> = {}): Config {
  const flags = Object.fromEntries(
    command.options.map((option) => [
      option.name(),
      command.getOptionValue(option.attributeName()) as string | undefined,
    ]),
  );
  return resolveConfig({ verb: command.name(), flags, environment: process.env, defaults, terminal: isWatched() });
}

/** Commander's sentence, with the nearest name that it adds, as an error with a cure. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): StartError {
  const verb = program.commands.map((command) => command.name()).find((name) => name === argv[0]);
  const cure = verb === undefined ? "outpost help" : `outpost help ${verb}`;
  return new StartError(error.message.replace(/^error: /, ""), cure, { exitCode: exitCodes.usage });
}
