/** The entries of `rules:`, `only:`, `except:` and `workflow:`. */

import { jobFailureWords, newCommitWords } from "../records.ts";
import { isMapping, type Mapping } from "../values.ts";
import {
  aBoolean,
  aList,
  aMapping,
  aText,
  charactersAtMost,
  duration,
  entriesAtMost,
  expression,
  expressions,
  knownValue,
  oneOf,
  present,
  refs,
  texts,
} from "./checks.ts";
import { disallowedKeys, knownKeys, requiredKeys } from "./checks-keys.ts";
import { type Entry, key, needed, ruleIf, whole } from "./entry.ts";
import { jobNeeds } from "./needs.ts";
import { variablesWith } from "./variables.ts";

const pathsMax = 50;
const weekSeconds = 7 * 24 * 60 * 60;

const changes: Entry = {
  description: "Holds when a file that fits one of these patterns was changed.",
  variants: [
    { kind: "list", entry: { rules: [whole(texts, entriesAtMost(pathsMax))] } },
    {
      kind: "mapping",
      entry: {
        rules: [
          whole(knownKeys(["paths", "compare_to"]), requiredKeys("paths")),
          needed("paths", texts, entriesAtMost(pathsMax)),
          key("compare_to", aText),
        ],
      },
    },
  ],
  otherwise: "should be an array or a hash",
};

const hasRef = ({ ref }: Mapping) => (ref ?? null) !== null;

/** `include:rules:exists` may have more patterns. */
function existsWith(...limits: ReturnType<typeof entriesAtMost>[]): Entry {
  return {
    description: "Holds when a file that fits one of these patterns is there.",
    variants: [
      { kind: "text", entry: {} },
      { kind: "list", entry: { rules: [whole(texts, ...limits)] } },
      {
        kind: "mapping",
        entry: {
          rules: [
            whole(knownKeys(["paths", "project", "ref"]), requiredKeys("paths")),
            ruleIf(hasRef, whole(requiredKeys("project"))),
            key("paths", texts, entriesAtMost(pathsMax)),
            key("project", aText),
            key("ref", aText),
          ],
        },
      },
    ],
    otherwise: "should be a string, an array of strings, or a hash",
  };
}

const among = (words: readonly string[]) => oneOf(words, `must be one of: ${words.join(", ")}`);

const autoCancel: Entry = {
  description: "When jobs of the pipeline are canceled without being asked to.",
  rules: [
    whole(aMapping, knownKeys(["on_new_commit", "on_job_failure"])),
    key("on_new_commit", aText, among(newCommitWords)),
    key("on_job_failure", aText, among(jobFailureWords)),
  ],
};

const isDelayed = (rule: Mapping) => rule.when === "delayed";

/** `rules:` with those values of `when` and those keys. */
function rulesWith(whens: readonly string[], names: readonly string[]): Entry {
  return {
    description: "Conditions, of which the first that holds decides.",
    rules: [whole(present, aList)],
    items: {
      name: "rule",
      entry: {
        rules: [
          whole(present, aMapping),
          ruleIf((rule) => !isDelayed(rule), whole(disallowedKeys(["start_in"]))),
          ruleIf(isDelayed, needed("start_in", present, duration({ secondsMax: weekSeconds }))),
          key("if", expression),
          key("allow_failure", aBoolean),
          key("interruptible", aBoolean),
          key("when", knownValue(whens)),
          whole(knownKeys(names)),
        ],
        keys: {
          changes,
          exists: existsWith(entriesAtMost(pathsMax)),
          variables: variablesWith(),
          needs: jobNeeds,
          auto_cancel: autoCancel,
        },
      },
    },
  };
}

const commonRuleKeys = ["if", "changes", "exists", "when", "start_in", "allow_failure", "variables", "needs"];

export const jobRules = rulesWith(
  ["on_success", "on_failure", "always", "never", "manual", "delayed"],
  [...commonRuleKeys, "interruptible"],
);

export const includeRules: Entry = {
  description: "Conditions, of which the first that holds decides.",
  rules: [whole(present, aList)],
  items: {
    name: "rule",
    entry: {
      rules: [
        whole(present, aMapping, knownKeys(["if", "exists", "when", "changes"])),
        key("if", expression),
        key("when", knownValue(["never", "always"])),
      ],
      keys: { changes, exists: existsWith() },
    },
  },
};

const nameLengthMax = 255;

export const workflow: Entry = {
  description: "Whether a pipeline is made, and what it is called.",
  rules: [whole(aMapping, knownKeys(["rules", "name", "auto_cancel"])), key("name", charactersAtMost(nameLengthMax))],
  keys: {
    rules: rulesWith(["always", "never"], [...commonRuleKeys, "auto_cancel"]),
    auto_cancel: autoCancel,
  },
};

export const policy: Entry = {
  description: "Refs, sources, variables and changes for which the job is made or left out.",
  variants: [
    { kind: "list", entry: { rules: [whole(refs)] } },
    {
      kind: "mapping",
      entry: {
        rules: [
          whole(present, knownKeys(["refs", "kubernetes", "variables", "changes"])),
          key("variables", expressions),
          key("refs", refs),
          key("kubernetes", knownValue(["active"])),
          key("variables", texts),
          key("changes", texts),
        ],
      },
    },
  ],
  otherwise: "has to be either an array of conditions or a hash",
};

/** Whether `rules:` are given. */
export function hasRules(job: unknown): boolean {
  return isMapping(job) && (job.rules ?? null) !== null;
}
