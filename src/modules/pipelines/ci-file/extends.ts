import { CiFileError, isMapping, type Mapping, textsOf } from "./values.ts";

const depthMax = 10;

/** A job with what it `extends` below it: mappings are merged, everything else is replaced. Throws `CiFileError`. */
export function extended(file: Mapping, name: string, depth = 0): Mapping {
  const job = file[name] as Mapping;
  if (job.extends === undefined || job.extends === null) return job;
  if (depth >= depthMax) throw new CiFileError(`${name}: nesting too deep in \`extends\``);
  let merged: Mapping = {};
  for (const base of textsOf(job.extends, `jobs:${name}:extends`)) {
    if (!isMapping(file[base])) throw new CiFileError(`${name}: unknown keys in \`extends\` (${base})`);
    merged = mergeMappings(merged, extended(file, base, depth + 1));
  }
  const { extends: _, ...own } = mergeMappings(merged, job);
  return own;
}

function mergeMappings(below: Mapping, above: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    merged[key] = isMapping(under) && isMapping(value) ? mergeMappings(under, value) : value;
  }
  return merged;
}
