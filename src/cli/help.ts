import { type Command, Help } from "commander";

/** The end of `outpost help`. */
const examples = `
Examples:
  outpost serve                       on port 8080, with the store in ./data
  outpost serve --port 0 --data /srv  on any free port, with another store
  outpost demo                        with people and tokens to try at once

Every flag is also a variable: --log-level is OUTPOST_LOG_LEVEL. The flag wins.
Every verb in a line: outpost help verbs. What one takes: outpost help <verb>.
`;

const exitCodesText = `Exit codes:
  0             done, or stopped as asked
  1             could not start or go on
  2             wrong use: an unknown verb, flag or variable, or a bad value
  3             the store or an archive is damaged
  4             api: answered 4xx; explain: refused
  5             api: answered 5xx`;

/** What `outpost` prints by itself: 24 lines of 80 columns at most, so verbs are named, not described. */
export function firstScreen(program: Command, help: Help): string {
  const groups = [...groupVerbs(program, help)].map(([heading, verbs]) => {
    const names = verbs.map((verb) => verb.name()).join(", ");
    return help.formatItem(heading.replace(":", ""), 8, names, help);
  });
  return [`Usage: ${help.commandUsage(program)}`, "", program.description(), "", "Verbs:", ...groups, examples].join(
    "\n",
  );
}

/** `outpost help verbs`: each verb with what it does. */
export function everyVerb(program: Command): string {
  const help = Object.assign(new Help(), { helpWidth: 80, subcommandTerm: (verb: Command) => verb.name() });
  const width = help.longestSubcommandTermLength(program, help);
  const lines = [...groupVerbs(program, help)].flatMap(([heading, verbs]) => [
    heading,
    ...verbs.map((verb) => help.formatItem(verb.name(), width, help.subcommandDescription(verb), help)),
    "",
  ]);
  return [...lines, exitCodesText, "", "What one takes: outpost help <verb>.", ""].join("\n");
}

function groupVerbs(program: Command, help: Help): Map<string, Command[]> {
  return help.groupItems([...program.commands], help.visibleCommands(program), (verb) => verb.helpGroup());
}

/**
 * `help token create` asked as `token create --help`; an unknown verb by itself, since commander would then show the
 * general help in place of saying that there is no such verb.
 */
export function withoutHelpVerb(program: Command, argv: readonly string[]): readonly string[] {
  const [first = "help", ...about] = argv;
  if (first !== "help") return argv;
  const path: string[] = [];
  for (let place = program; place.commands.length > 0 && path.length < about.length; ) {
    const name = about[path.length];
    const verb = place.commands.find((each) => each.name() === name);
    if (verb === undefined) return about;
    path.push(verb.name());
    place = verb;
  }
  return [...path, "--help"];
}
