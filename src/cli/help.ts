import { type Command, Help } from "commander";
import { manualPage } from "./output/manual.ts";
import { readableText } from "./output/markdown.ts";
import { stdout, wantsColour } from "./output/terminal.ts";
import { topics } from "./output/topics.ts";

const examples = `
Examples:
  outpost serve                       on port 8080, with the store in ./data
  outpost serve --port 0 --data /srv  on any free port, with another store
  outpost demo                        with people and tokens to try at once

Every flag is also a variable: --log-level is OUTPOST_LOG_LEVEL. The flag wins.
All commands and the manual: outpost help. One of them: outpost help NAME.
`;

/**
 * Returns the output of `outpost` without arguments: at most 24 lines of 80 columns, so commands have names without
 * descriptions.
 */
export function firstScreen(program: Command, help: Help): string {
  const groups = [...groupCommands(program, help)].map(([heading, commands]) => {
    const names = commands.map((command) => command.name()).join(", ");
    return help.formatItem(heading.replace(":", ""), 8, names, help);
  });
  return [`Usage: ${help.commandUsage(program)}`, "", program.description(), "", "Commands:", ...groups, examples].join(
    "\n",
  );
}

/** Returns the text of `outpost help`: one line for each command and manual topic. */
function fullList(program: Command): string {
  const help = Object.assign(new Help(), { helpWidth: 80, subcommandTerm: (command: Command) => command.name() });
  const names = [...program.commands, ...topics].map((each) =>
    typeof each.name === "string" ? each.name : each.name(),
  );
  const width = Math.max(...names.map((name) => name.length));
  const lines = [...groupCommands(program, help)].flatMap(([heading, commands]) => [
    heading,
    ...commands.map((command) => help.formatItem(command.name(), width, help.subcommandDescription(command), help)),
    "",
  ]);
  const manual = topics.map(({ name, summary }) => help.formatItem(name, width, summary, help));
  return [...lines, "Manual:", ...manual, "", "A command, or a topic of the manual: outpost help NAME.", ""].join("\n");
}

/** Returns the text of `outpost help WORDS`: the full list or a topic; undefined when a command prints its own help. */
export async function helpText(program: Command, [name, ...others]: readonly string[]): Promise<string | undefined> {
  if (name === undefined) return fullList(program);
  const page = others.length === 0 ? await manualPage(program, name) : undefined;
  return page === undefined ? undefined : readableText(page, { isStyled: wantsColour(stdout) });
}

function groupCommands(program: Command, help: Help): Map<string, Command[]> {
  return help.groupItems([...program.commands], help.visibleCommands(program), (command) => command.helpGroup());
}

/**
 * Rewrites `help token create` to `token create --help`, and `help UNKNOWN` to `UNKNOWN`, since commander would show the
 * general help instead of an error.
 */
export function withoutHelpCommand(program: Command, argv: readonly string[]): readonly string[] {
  const [first = "help", ...about] = argv;
  if (first !== "help") return argv;
  const path: string[] = [];
  for (let place = program; place.commands.length > 0 && path.length < about.length; ) {
    const name = about[path.length];
    const command = place.commands.find((each) => each.name() === name);
    if (command === undefined) return about;
    path.push(command.name());
    place = command;
  }
  return [...path, "--help"];
}
