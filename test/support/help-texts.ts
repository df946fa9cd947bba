import { runOutpost } from "./outpost-process.ts";

/** A verb, as typed behind `outpost`, with what it prints as its help. */
export interface HelpText {
  readonly verb: string;
  readonly text: string;
}

/** The help of every verb, those below others too, in the order of `outpost help`. */
export async function allHelpTexts(): Promise<readonly HelpText[]> {
  const { stdout } = await runOutpost(["help"]);
  const [commands = ""] = stdout.split("\nManual:\n");
  const verbs = namesIn(commands).filter((verb) => verb !== "help");
  const families = await Promise.all(verbs.map(withThoseBelow));
  return families.flat();
}

async function withThoseBelow(verb: string): Promise<HelpText[]> {
  const { stdout: text } = await runOutpost([...verb.split(" "), "--help"]);
  const below = namesIn(/\nCommands:\n(.*?)\n\n/s.exec(text)?.[1] ?? "");
  const others = await Promise.all(below.map((each) => withThoseBelow(`${verb} ${each}`)));
  return [{ verb, text }, ...others.flat()];
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)(?= |$)/gm)].map(([, name = ""]) => name);
}
