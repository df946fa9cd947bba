/** The entries of `trigger:` and `include:`. */

import { isMapping, type Mapping } from "../values.ts";
import { aBoolean, aMapping, aText, isPresent, listOrText, mappingOrText, mappings, oneOf, present } from "./checks.ts";
import { knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, key, type LastRule, needed, whole } from "./entry.ts";
import { includeRules } from "./rules.ts";

const includeKeys = [
  ...["local", "file", "remote", "project", "ref", "integrity", "cache", "template", "artifact", "inputs", "job"],
  ...["rules", "component"],
];

const hasSource: LastRule = ({ project, file }) =>
  (project ?? null) !== null && !isPresent(file)
    ? { fault: "must specify the file where to fetch the config from" }
    : undefined;

const hasArtifactJob: LastRule = ({ artifact, job }) =>
  (artifact ?? null) !== null && !isPresent(job)
    ? { fault: "must specify the job where to fetch the artifact from" }
    : undefined;

const integrity: Check = {
  faults(value) {
    const hash = isMapping(value) ? value.integrity : undefined;
    if (hash === undefined || hash === null) return [];
    const misplaced = isMapping(value) && !isPresent(value.remote);
    const [, encoded] = /^sha256-(.*)$/s.exec(String(hash)) ?? [];
    const isEncoded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded ?? "");
    return [
      ...(misplaced ? ["integrity can only be specified for remote includes"] : []),
      ...(encoded === undefined ? ["integrity hash must start with 'sha256-'"] : []),
      ...(encoded === undefined || isEncoded ? [] : ["integrity hash must be base64 encoded"]),
    ];
  },
  schema: {},
};

/** One file of `include:`. */
export const include: Entry = {
  rules: [whole(mappingOrText, integrity, knownKeys(includeKeys)), key("rules", mappings)],
  lastRules: [hasSource, hasArtifactJob],
  keys: { rules: includeRules },
};

const filesMax = 3;

const fewFiles: Check = {
  faults: (value) => (Array.isArray(value) && value.length > filesMax ? [`is too long (maximum is ${filesMax})`] : []),
  schema: { maxItems: filesMax },
};

/** The files of `include:` of the file itself; any number of them. */
export const includes: Entry = {
  description: "Files whose keywords are worked into this one.",
  rules: [whole({ ...listOrText, schema: { type: ["array", "string", "object"] } })],
  items: { name: "include", entry: include },
};

const childFiles: Entry = {
  description: "Files of the child pipeline.",
  rules: [whole(listOrText, fewFiles)],
  items: { name: "include", entry: include },
};

const forward: Entry = {
  description: "Which variables the other pipeline gets.",
  rules: [
    whole(aMapping, knownKeys(["yaml_variables", "pipeline_variables"])),
    key("yaml_variables", aBoolean),
    key("pipeline_variables", aBoolean),
  ],
};

const strategy = key("strategy", aText, oneOf(["depend", "mirror"], "should be depend or mirror"));
const isChild = (value: Mapping) => "include" in value;

export const trigger: Entry = {
  description: "The pipeline that the job makes: of another project, or a child pipeline.",
  variants: [
    { kind: "text", entry: { rules: [whole(present)] } },
    {
      kind: "mapping",
      if: (value) => !isChild(value),
      entry: {
        rules: [
          whole(present, knownKeys(["project", "branch", "strategy", "forward", "inputs"])),
          key("inputs", aMapping),
          needed("project", aText, present),
          key("branch", aText),
          strategy,
        ],
        keys: { forward },
      },
    },
    {
      kind: "mapping",
      if: isChild,
      entry: {
        rules: [whole(present, knownKeys(["strategy", "include", "forward"])), strategy],
        keys: { include: childFiles, forward },
      },
    },
  ],
  otherwise: "has to be either a string or a hash",
};
