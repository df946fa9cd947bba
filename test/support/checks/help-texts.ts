import { runOutpost } from "../process/outpost-process.ts";

/** A command, as typed behind `outpost`, with what it prints as its help. */
export interface HelpText {
  readonly command: string;
  readonly text: string;
}

/** The help of every command, those below others too, in the order of `outpost help`. */
export async function allHelpTexts(): Promise<readonly HelpText[]> {
  const { stdout } = await runOutpost(["help"]);
  const [listed = ""] = stdout.split("\nManual:\n");
  const commands = namesIn(listed).filter((command) => command !== "help");
  const families = await Promise.all(commands.map(withThoseBelow));
  return families.flat();
}

async function withThoseBelow(command: string): Promise<HelpText[]> {
  const { stdout: text } = await runOutpost([...command.split(" "), "--help"]);
  const below = namesIn(/\nCommands:\n(.*?)\n\n/s.exec(text)?.[1] ?? "");
  const others = await Promise.all(below.map((each) => withThoseBelow(`${command} ${each}`)));
  return [{ command, text }, ...others.flat()];
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)(?= |$)/gm)].map(([, name = ""]) => name);
}
