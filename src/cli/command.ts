import type { Command } from "commander";

/** The result of a command. */
export interface CommandResult {
  /** 0 unless said otherwise; see `exitCodes`. */
  exitCode: number;
}

/**
 * Adds one command, with its flags and examples, to the program. Its action imports what it does, so that a start of the
 * executable loads no command but the one that was asked for.
 */
export type AddCommand = (program: Command, outcome: CommandResult) => void;

/** The help of a command that only groups others. */
export interface CommandGroup {
  readonly name: string;
  /** The commands below it, as `create | list`. */
  readonly usage: string;
  readonly description: string;
  /** The end of its help. */
  readonly examples: string;
}

/** Adds a command that only leads to others, such as `token` to `token create`. They are added to what is returned. */
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
