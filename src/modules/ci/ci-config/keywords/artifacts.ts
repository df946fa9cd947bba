/** The entry of `artifacts:`. */

import { isMapping } from "../values.ts";
import {
  aBoolean,
  aMapping,
  aText,
  charactersAtMost,
  duration,
  oneOf,
  present,
  textLike,
  textOrTexts,
  texts,
} from "./checks.ts";
import { exclusiveKeys, knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, key, needed, ruleIf, whole } from "./entry.ts";

const reportKeys = [
  ...["junit", "codequality", "sast", "secret_detection", "dependency_scanning", "container_scanning", "dast"],
  ...["performance", "browser_performance", "load_performance", "license_scanning", "metrics", "lsif", "dotenv"],
  ...["terraform", "accessibility", "coverage_fuzzing", "api_fuzzing", "cluster_image_scanning", "requirements"],
  ...["requirements_v2", "coverage_report", "cyclonedx", "annotations", "repository_xray", "sarif"],
];
/** Their values are not checked. */
const freeReports = ["codequality", "coverage_report"];
const coverageFormats = ["cobertura", "jacoco"];

const reports: Entry = {
  description: "Files of results, by kind of report.",
  rules: [
    whole(aMapping, knownKeys(reportKeys)),
    ...reportKeys.filter((name) => !freeReports.includes(name)).map((name) => key(name, textOrTexts)),
  ],
  keys: {
    coverage_report: {
      description: "A file that says which lines the tests covered.",
      rules: [
        whole(aMapping, knownKeys(["coverage_format", "path"])),
        needed(
          "coverage_format",
          present,
          oneOf(coverageFormats, `must be one of supported formats: ${coverageFormats.join(", ")}.`),
        ),
        needed("path", present, aText),
      ],
    },
  },
};

export const artifactWhens = ["on_success", "on_failure", "always"];
const accesses = ["none", "developer", "maintainer", "all"];
const exposedNameMax = 100;

export function oneOfWords(words: readonly string[]): Check {
  return oneOf(words, `should be one of: ${words.join(", ")}`);
}

const withoutStars: Check = {
  faults(value) {
    const isGood = !Array.isArray(value) || value.every((path) => typeof path !== "string" || !path.includes("*"));
    return isGood ? [] : ["can't contain '*' when used with 'expose_as'"];
  },
  schema: {},
};

const isExposed = (value: unknown) => isMapping(value) && (value.expose_as ?? null) !== null;

export const artifacts: Entry = {
  description: "Files that the job leaves, and what happens to them.",
  rules: [
    whole(
      aMapping,
      knownKeys([
        "name",
        "untracked",
        "paths",
        "reports",
        "when",
        "expire_in",
        "expose_as",
        "exclude",
        "public",
        "access",
      ]),
    ),
    ruleIf(isExposed, needed("paths", present)),
    whole(exclusiveKeys("access", "public")),
    key("name", aText),
    key("public", aBoolean),
    key("untracked", aBoolean),
    key("paths", texts),
    ruleIf(isExposed, key("paths", withoutStars)),
    key(
      "expose_as",
      aText,
      charactersAtMost(exposedNameMax),
      textLike(/^\w[-\w ]*$/, "can contain only letters, digits, '-', '_' and spaces"),
    ),
    key("exclude", texts),
    key("reports", aMapping),
    key("when", aText, oneOfWords(artifactWhens)),
    key("expire_in", duration({ hasNever: true })),
    key("access", aText, oneOfWords(accesses)),
  ],
  keys: { reports },
};
