import type { Argument, Command, Option } from "commander";
import { logFormats, logLevels } from "../../../config/settings.ts";
import { editions } from "../../../domain/edition.ts";
import { scopes } from "../../../domain/scopes.ts";
import { topics } from "../../output/topics.ts";
import { savedUsernames } from "../access/usernames.ts";

const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Returns the script that a shell loads. It calls `complete-words` at every Tab. */
export async function completionScript(shell: Shell): Promise<string> {
  switch (shell) {
    case "bash":
      return (await import("../../build/completion.bash", { with: { type: "text" } })).default;
    case "zsh":
      return (await import("../../build/completion.zsh", { with: { type: "text" } })).default;
    case "fish":
      return (await import("../../build/completion.fish", { with: { type: "text" } })).default;
  }
}

interface Word {
  readonly word: string;
  readonly about?: string;
}

/** The completions at the cursor: words, or `files` or `folders`, which the shell lists itself. */
type Offer = readonly Word[] | "files" | "folders";

/** The completions of a flag's value, by its placeholder in the help. */
const offersByPlaceholder: Readonly<Record<string, (before: readonly string[]) => Offer>> = {
  folder: () => "folders",
  file: () => "files",
  method: () => wordsOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
  "name or id": (before) => wordsOf(savedUsernames(dataFolderOf(before))),
};

/** The completions of a flag's value, by flag, where the placeholder is too general. */
const offersByFlag: Readonly<Record<string, () => Offer>> = {
  edition: () => wordsOf(editions),
  "log-level": () => wordsOf(logLevels),
  "log-format": () => wordsOf(logFormats),
  scopes: () => wordsOf(scopes),
  state: () => wordsOf(["active", "blocked", "blocked_pending_approval", "banned", "deactivated"]),
};

/**
 * Returns the answer to `complete-words SHELL WORD…`: a line with `words`, `files` or `folders`, then one word per line,
 * with a description where the shell can show it. `typed` is everything after the executable's name up to the cursor; its
 * last item may be empty.
 */
export function answerShell(program: Command, [name, ...typed]: readonly string[]): string {
  const shell = shells.find((each) => each === name) ?? "bash";
  const { before, current, prefix } = splitTyped(shell, typed);
  const offer = offerFor(program, before, current);
  if (typeof offer === "string") return `${offer}\n`;
  const fitting = offer.filter(({ word }) => word.startsWith(current));
  const lines = fitting.map(({ word, about }) => describe(shell, `${prefix}${word}`, about));
  return ["words", ...lines, ""].join("\n");
}

/** Splits `--flag=value` into two words. bash splits it itself and expects only the value; other shells expect both. */
function splitTyped(shell: Shell, typed: readonly string[]) {
  const words = shell === "bash" ? typed.flatMap((word, place) => (word === "=" && place > 0 ? [] : [word])) : typed;
  const last = words.at(-1) ?? "";
  const isAfterEquals = shell === "bash" && typed.at(-1) === "=";
  const before = isAfterEquals ? words : words.slice(0, -1);
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  if (isAfterEquals) return { before, current: "", prefix: "" };
  if (flag === undefined || value === undefined) return listPart(before, last);
  const { current, prefix } = listPart([...before, flag], value);
  return { before: [...before, flag], current, prefix: `${shell === "bash" ? "" : `${flag}=`}${prefix}` };
}

/** Splits a comma-separated list of scopes: only its last item is completed. */
function listPart(before: readonly string[], value: string) {
  const start = before.at(-1) === "--scopes" ? value.lastIndexOf(",") + 1 : 0;
  return { before, current: value.slice(start), prefix: value.slice(0, start) };
}

function offerFor(program: Command, before: readonly string[], current: string): Offer {
  let command = program;
  let place = 0;
  let isFlagsOver = false;
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] as string;
    if (word === "--") isFlagsOver = true;
    else if (word.startsWith("-") && !isFlagsOver) {
      const option = findOption(command, word);
      if (option === undefined || option.isBoolean() || word.includes("=")) continue;
      if (at === before.length - 1 && !(option.optional && current.startsWith("-"))) return offerOf(option, before);
      if (option.required || !before[at + 1]?.startsWith("-")) at += 1;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next !== undefined) command = next;
      else if (command === program && word === "help")
        return at === before.length - 1 ? [...commandsOf(program), ...topicWords()] : [];
      else if (command.commands.length > 0) return [];
      else place += 1;
    }
  }
  if (current.startsWith("-") && !isFlagsOver) return flagsOf(command);
  if (command.commands.length > 0) return commandsOf(command);
  const argument = command.registeredArguments[place];
  return argument === undefined ? flagsOf(command) : offerOf(argument, before);
}

function findOption(command: Command, flag: string): Option | undefined {
  const [name] = flag.split("=");
  return command.options.find(({ long, short }) => long === name || short === name);
}

function offerOf(taker: Option | Argument, before: readonly string[]): Offer {
  if (taker.argChoices !== undefined) return wordsOf(taker.argChoices);
  const byFlag = "flags" in taker ? offersByFlag[taker.name()] : undefined;
  const placeholder = "flags" in taker ? (/[<[]([^>\]]+)/.exec(taker.flags)?.[1] ?? "") : taker.name();
  return (byFlag ?? offersByPlaceholder[placeholder])?.(before) ?? [];
}

/** Returns the data folder: an earlier flag wins. */
function dataFolderOf(before: readonly string[]): string {
  const place = before.findLastIndex((word) => word === "--data" || word === "-d");
  const joined = before.findLast((word) => word.startsWith("--data="))?.slice("--data=".length);
  return (place === -1 ? joined : before[place + 1]) ?? (process.env.OUTPOST_DATA || "./data");
}

function flagsOf(command: Command): Offer {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

function topicWords(): Word[] {
  return topics.map(({ name, summary }) => ({ word: name, about: summary }));
}

function commandsOf(program: Command): Word[] {
  const commands = program.createHelp().visibleCommands(program);
  return commands.map((command) => ({ word: command.name(), about: command.description() }));
}

function wordsOf(words: readonly string[]): Word[] {
  return words.map((word) => ({ word }));
}

/** Returns the word and its description on one line, without the variable at the end. */
function describe(shell: Shell, word: string, about: string | undefined): string {
  const meaning = about?.replace(/ \[OUTPOST_.*\]$/, "").replaceAll("\n", " ");
  if (shell === "fish") return meaning === undefined ? word : `${word}\t${meaning}`;
  if (shell === "bash") return word;
  const escaped = word.replaceAll(":", "\\:");
  return meaning === undefined ? escaped : `${escaped}:${meaning}`;
}
