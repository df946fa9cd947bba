import { type Command, Option } from "commander";
import type { ConfigSources } from "../config/config.ts";
import { defaultOf, type Setting, typedFlag, variableOf } from "../config/setting.ts";
import { settingGroups, settings, settingsOfServer } from "../config/settings.ts";
import { isTty, stderr } from "./output/terminal.ts";

/** Adds settings as flags of the command. */
export function addSettings(
  command: Command,
  {
    defaults = {},
    taken = settingsOfServer,
  }: { defaults?: Readonly<Record<string, string>>; taken?: readonly Setting<unknown>[] } = {},
): Command {
  command.usage("[flags]");
  for (const setting of taken) {
    // A command with few flags shows them under one heading.
    const group =
      taken === settingsOfServer ? settingGroups.find(({ settings }) => settings.includes(setting)) : undefined;
    command.optionsGroup(group?.heading ?? "Flags:");
    const short = setting.short === undefined ? "" : `-${setting.short}, `;
    const fallback = defaults[setting.flag] ?? defaultOf(setting);
    const flags = `${short}${typedFlag(setting)}${setting.isSwitch ? "" : ` <${setting.placeholder}>`}`;
    command.addOption(new Option(flags, `${setting.help} [${describeSource(setting, fallback)}]`));
  }
  return command;
}

/** Returns the setting of the data folder, with a help text for the command. */
export function dataFolder(help: string): Setting<string> {
  return { ...settings.data, help };
}

function describeSource(setting: Setting<unknown>, fallback: string | undefined): string {
  return fallback === undefined ? variableOf(setting) : `${variableOf(setting)}, else ${fallback}`;
}

/** Returns the flags of a command and the environment, for `config/`. */
export function sourcesOf(command: Command, defaults: Readonly<Record<string, string>> = {}): ConfigSources {
  const flags = Object.fromEntries(
    command.options.map((option) => {
      const value = command.getOptionValue(option.attributeName()) as string | boolean | undefined;
      return option.negate
        ? [option.name().slice("no-".length), withoutDefault(value)]
        : [option.name(), flagText(value)];
    }),
  );
  const { parent } = command;
  const name = parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
  return { command: name, flags, environment: process.env, defaults, terminal: isTty(stderr) };
}

/** Returns the text of a flag. A switch has a boolean value. */
function flagText(given: string | boolean | undefined): string | undefined {
  return typeof given === "boolean" ? String(given) : given;
}

/** Returns undefined for a switch that is on by default, since commander treats it as given. */
function withoutDefault(given: string | boolean | undefined): string | undefined {
  return given === true ? undefined : flagText(given);
}
