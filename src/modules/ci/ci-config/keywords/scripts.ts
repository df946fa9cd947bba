/** The entries of scripts, and of other keywords with one value. */

import { aBoolean, aMapping, aText, commands, duration, regularExpression, texts } from "./checks.ts";
import { knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, whole } from "./entry.ts";

function simple(description: string, ...checks: readonly Check[]): Entry {
  return { description, rules: [whole(...checks)] };
}

export const script = simple("Shell commands that the runner executes.", commands);
export const beforeScript = simple("Shell commands before those of `script`.", commands);
export const afterScript = simple("Shell commands after `script`, also when it failed.", commands);
export const stage = simple("The stage of the job; `test` unless said.", aText);
export const interruptible = simple("Whether a newer pipeline may cancel the job.", aBoolean);
export const coverage = simple("A pattern that finds the coverage in the log.", regularExpression);
export const publish = simple("The folder that Pages publishes.", aText);

/** A twelfth of a year. */
const monthSeconds = 2_629_746;
export const timeout = simple("The longest time that the job may run.", duration({ secondsMax: monthSeconds }));

const tagsLimit = 50;
const fewTags: Check = {
  faults: (value) =>
    Array.isArray(value) && value.length >= tagsLimit ? [`must be less than the limit of ${tagsLimit} tags`] : [],
  schema: { maxItems: tagsLimit - 1 },
};
export const tags = simple("Tags that a runner needs to take the job.", texts, fewTags);

export const hooks: Entry = {
  description: "Shell commands around steps of the runner.",
  rules: [whole(aMapping, knownKeys(["pre_get_sources_script"]))],
  keys: { pre_get_sources_script: simple("Shell commands before the repository is fetched.", commands) },
};

export const pathList = simple("Paths and patterns of paths.", texts);
