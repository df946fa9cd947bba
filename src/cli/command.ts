import type { Command } from "commander";

/** The result of a command. */
export interface CommandResult {
  /** Default: 0. See `exitCodes`. */
  exitCode: number;
}

/**
 * Adds a command with its flags and examples to the program. Its action imports the code, so that a start of the executable
 * loads only the requested command.
 */
export type AddCommand = (program: Command, outcome: CommandResult) => void;

/** The help of a command that has only subcommands. */
export interface CommandGroup {
  readonly name: string;
  /** The subcommands, such as `create | list`. */
  readonly usage: string;
  readonly description: string;
  /** The examples, at the end of its help. */
  readonly examples: string;
}

/** Adds a command with subcommands, such as `token`, and returns it. */
export function addFamily(program: Command, { name, usage, description, examples }: CommandGroup): Command {
  return program
    .command(name)
    .usage(`${usage} [flags]`)
    .commandsGroup("Commands:")
    .optionsGroup("Flags:")
    .helpCommand(false)
    .description(description)
    .configureHelp({ ...program.configureHelp(), subcommandTerm: (command) => command.name() })
    .addHelpText("after", examples);
}
