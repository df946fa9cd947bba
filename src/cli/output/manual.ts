import { type Command, Help } from "commander";
import { defaultOf, type Setting, typedFlag, variableOf } from "../../config/setting.ts";
import { allSettings } from "../../config/settings.ts";
import { meaningsOfExitCodes } from "../../domain/start-error.ts";
import { topics } from "./topics.ts";

const indent = "    ";
const lineLength = 78;

/** Returns the Markdown of a topic, with its generated lists; undefined if there is no such topic. */
export async function manualPage(program: Command, name: string): Promise<string | undefined> {
  const topic = topics.find((each) => each.name === name);
  if (topic === undefined) return undefined;
  const { default: text } = await topic.load();
  const lists: Readonly<Record<string, () => string | Promise<string>>> = {
    commands: () => commandList(program),
    settings: settingList,
    "exit-codes": exitCodeList,
    "fixture-keys": fixtureKeyList,
  };
  const [, list = ""] = /^<!-- ([\w-]+) -->$/m.exec(text) ?? [];
  const generated = await lists[list]?.();
  return generated === undefined ? text : text.replace(`<!-- ${list} -->`, () => generated);
}

/** Returns the list of fixture keys with their operations. */
async function fixtureKeyList(): Promise<string> {
  const [{ fixtureKeys }, { operations }] = await Promise.all([
    import("../../fixtures/keys.ts"),
    import("../../modules/operations.ts"),
  ]);
  const keys = fixtureKeys(operations);
  return keys.map(({ key, operation }) => wrap(`- \`${key}\`: \`${operation}\``, "  ")).join("\n");
}

/** Returns the list of commands and subcommands with their descriptions. */
function commandList(program: Command): string {
  const help = new Help();
  const lines = (command: Command, path: string): string[] =>
    help.visibleCommands(command).flatMap((each) => {
      const name = `${path}${each.name()}`;
      return [`- \`${name}\`: ${each.description()}`, ...lines(each, `${name} `)];
    });
  return lines(program, "")
    .map((line) => wrap(line, "  "))
    .join("\n");
}

function settingList(): string {
  return allSettings.map(describeSetting).join("\n\n");
}

function describeSetting(setting: Setting<unknown>): string {
  const short = setting.short === undefined ? "" : `-${setting.short}, `;
  const value = setting.isSwitch ? "" : ` <${setting.placeholder}>`;
  const fallback = defaultOf(setting);
  const lines = [
    `${setting.help}.`,
    `Value: ${setting.expected}.`,
    `Variable: ${variableOf(setting)}`,
    ...(fallback === undefined ? [] : [`Default: ${fallback}`]),
  ];
  return [`\`${short}${typedFlag(setting)}${value}\``, ...lines.map((line) => wrap(`${indent}${line}`, indent))].join(
    "\n",
  );
}

function exitCodeList(): string {
  return meaningsOfExitCodes.map(({ code, meaning }) => wrap(`- \`${code}\`: ${meaning}`, "  ")).join("\n");
}

/** Wraps a line between words. The following lines begin with `start`. */
function wrap(line: string, start: string): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S) /)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length <= lineLength || current === "") current = longer;
    else {
      lines.push(current);
      current = `${start}${word}`;
    }
  }
  return [...lines, current].join("\n");
}
