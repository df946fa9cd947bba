/** The entries of `needs:` and `parallel:`. */

import { isMapping, type Mapping } from "../values.ts";
import { aBoolean, aText, integerBetween, isPresent, mappingOrList, mappings, present } from "./checks.ts";
import { knownKeys, requiredKeys } from "./checks-keys.ts";
import { type Check, type Entry, isKind, key, type LastRule, needed, whole } from "./entry.ts";

const copiesMax = 200;

/** Combinations are made of texts, numbers and booleans. */
const combinable: Check = {
  faults(value) {
    const isPlain = (item: unknown) => isKind(item, "scalar");
    const isGood =
      isMapping(value) && Object.values(value).every((item) => isPresent(item) && [item].flat().every(isPlain));
    return isGood ? [] : ["should be a hash of key value pairs, value can be an array"];
  },
  schema: { type: "object" },
};

const notEmpty: Check = {
  faults: (value) => (isMapping(value) && Object.keys(value).length === 0 ? ["requires at least 1 items"] : []),
  schema: { minProperties: 1 },
};

/** Counts the jobs before they are made. */
function countOf(matrix: unknown): number {
  const rows = Array.isArray(matrix) ? matrix.filter(isMapping) : [];
  const sizeOf = (row: Mapping) =>
    Object.values(row).reduce((product: number, item) => product * [item].flat().length, 1);
  return rows.reduce((sum, row) => sum + sizeOf(row), 0);
}

const fewJobs: Check = {
  faults: (value) => (countOf(value) > copiesMax ? [`generates too many jobs (maximum is ${copiesMax})`] : []),
  schema: {},
};

const matrix: Entry = {
  description: "Variables with their values: a job is made of each combination.",
  rules: [whole(mappings, fewJobs)],
  items: { name: "variables", entry: { rules: [whole(combinable, notEmpty)] } },
};

const byMatrix: Entry = {
  rules: [whole(knownKeys(["matrix"]), requiredKeys("matrix"))],
  keys: { matrix },
};

const description = "How many jobs are made of it: a number, or one for each combination of variables.";
const otherwise = "should be an integer or a hash";

export const parallel: Entry = {
  description,
  variants: [
    { kind: "number", entry: { rules: [whole(integerBetween(1, copiesMax))] } },
    { kind: "mapping", entry: byMatrix },
  ],
  otherwise,
};

const noNumber: Check = { faults: () => ['cannot use "parallel: <number>".'], schema: { not: {} } };

/** Of a job with `trigger:`. */
export const parallelTrigger: Entry = {
  description,
  variants: [
    { kind: "number", entry: { rules: [whole(integerBetween(1, copiesMax), noNumber)] } },
    { kind: "mapping", entry: byMatrix },
  ],
  otherwise,
};

const hasJob = (need: Mapping) => "job" in need;
const isElsewhere = (need: Mapping) => "project" in need || "ref" in need;

/** The kinds of needs, in the words of the platform. */
type NeedKind = "job" | "cross_dependency" | "bridge";

function kindOfNeed(need: unknown): NeedKind | undefined {
  if (typeof need === "string") return "job";
  if (!isMapping(need)) return undefined;
  if (isElsewhere(need)) return "cross_dependency";
  if (!hasJob(need)) return "pipeline" in need ? "bridge" : undefined;
  return "pipeline" in need ? "cross_dependency" : "job";
}

const artifactRule = key("artifacts", aBoolean);

const need: Entry = {
  variants: [
    { kind: "text", entry: { rules: [whole(present)] } },
    {
      kind: "mapping",
      if: (value) => kindOfNeed(value) === "job",
      entry: {
        rules: [
          whole(present, knownKeys(["job", "artifacts", "optional", "parallel"])),
          needed("job", aText, present),
          artifactRule,
          key("optional", aBoolean),
        ],
        keys: { parallel },
      },
    },
    {
      kind: "mapping",
      if: (value) => hasJob(value) && "pipeline" in value && !("project" in value),
      entry: {
        rules: [
          whole(present, knownKeys(["pipeline", "job", "artifacts"])),
          needed("pipeline", aText, present),
          needed("job", aText, present),
          artifactRule,
        ],
      },
    },
    {
      kind: "mapping",
      if: isElsewhere,
      entry: {
        rules: [
          whole(present, knownKeys(["project", "ref", "job", "artifacts"])),
          needed("project", aText, present),
          needed("job", aText, present),
          needed("ref", aText, present),
          artifactRule,
        ],
      },
    },
    {
      kind: "mapping",
      if: (value) => kindOfNeed(value) === "bridge",
      entry: {
        rules: [whole(present, knownKeys(["pipeline"])), needed("pipeline", aText, present)],
      },
    },
  ],
  otherwise: "has an unsupported type",
};

const noCountedCopies: Check = {
  faults(value) {
    const isCounted = (item: unknown) => isMapping(item) && isKind(item.parallel, "number");
    return [value].flat().some(isCounted) ? ['cannot use "parallel: <number>".'] : [];
  },
  schema: {},
};

const notEmptyMapping: Check = {
  faults: (value) => (isMapping(value) && Object.keys(value).length === 0 ? ["can not be an empty hash"] : []),
  schema: {},
};

const otherPipelinesMax = 5;

/** `needs:` that may have those kinds. */
function needsOf(...kinds: readonly NeedKind[]): Entry {
  const known: Check = {
    faults(value) {
      const used = new Set([value].flat(10).map(kindOfNeed));
      const extra = [...used].filter((kind) => kind !== undefined && !kinds.includes(kind));
      return extra.length === 0 ? [] : [`uses invalid types: ${extra.join(", ")}`];
    },
    schema: {},
  };
  const few: Check = {
    faults(value) {
      const others = [value].flat(10).filter((item) => kindOfNeed(item) === "cross_dependency");
      const isMany = (name: string) =>
        others.filter((item) => isMapping(item) && name in item).length > otherPipelinesMax;
      return isMany("pipeline") || isMany("project") ? [`must be less than or equal to ${otherPipelinesMax}`] : [];
    },
    schema: {},
  };
  return {
    description: "Jobs that this one waits for, and whose artifacts it gets.",
    rules: [whole(mappingOrList, notEmptyMapping, noCountedCopies, known, few)],
    items: { name: "need", entry: need },
  };
}

export const buildNeeds = needsOf("job", "cross_dependency");
export const triggerNeeds = needsOf("job", "bridge");
export const jobNeeds = needsOf("job");

/** `dependencies:` are a part of `needs:`, if there are any. */
export const dependenciesAreNeeded: LastRule = ({ dependencies, needs }) => {
  const given = [needs ?? []].flat(10);
  if (!Array.isArray(dependencies) || dependencies.length === 0 || given.length === 0) return undefined;
  const jobs = given.filter((item) => kindOfNeed(item) === "job");
  if (jobs.length === 0) {
    return { key: "needs", fault: "corresponding to dependencies must be from the same pipeline" };
  }
  const names = new Set(jobs.map((item) => (isMapping(item) ? item.job : item)));
  const missing = dependencies.filter((name) => !names.has(name));
  return missing.length === 0
    ? undefined
    : { key: "dependencies", fault: `the ${missing.join(", ")} should be part of needs` };
};
