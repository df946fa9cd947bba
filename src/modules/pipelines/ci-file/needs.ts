import { type Copy, combinationsOf, suffixOf } from "./parallel.ts";
import { CiFileError, isMapping, refuseUnknown } from "./values.ts";

/** A job that another one waits for. */
export interface Need {
  readonly name: string;
  /** What it left is handed on. */
  readonly artifacts: boolean;
  /** It may be missing from the pipeline. */
  readonly optional: boolean;
  /** Which of those that `parallel:` made; undefined: all. */
  readonly combinations: readonly Readonly<Record<string, string>>[] | undefined;
}

const needKeys = new Set(["job", "artifacts", "optional", "parallel"]);

/** `needs:` of a job or a rule; undefined when there is none. Throws `CiFileError`. */
export function needsOf(value: unknown, label: string): Need[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map((item) => {
    if (typeof item === "string") return { name: item, artifacts: true, optional: false, combinations: undefined };
    if (!isMapping(item) || typeof item.job !== "string" || "pipeline" in item || "project" in item) {
      throw new CiFileError(`${label}:need has an unsupported type`);
    }
    refuseUnknown(item, needKeys, `${label}:need`);
    const { parallel } = item;
    if (parallel !== undefined && !isMapping(parallel)) {
      throw new CiFileError(`${label}:need:parallel should be a hash`);
    }
    return {
      name: item.job,
      artifacts: item.artifacts !== false,
      optional: item.optional === true,
      combinations:
        parallel === undefined ? undefined : combinationsOf(parallel.matrix, `${label}:need:parallel:matrix`),
    };
  });
}

/** A need of a job that `parallel:` made several of → needs of these. */
export function needsOfCopies(need: Need, copies: readonly Copy[]): Need[] {
  const { combinations } = need;
  const wanted =
    combinations === undefined
      ? copies
      : copies.filter(({ variables }) => combinations.some((each) => isSame(each, variables)));
  const missing = combinations?.filter((each) => !copies.some(({ variables }) => isSame(each, variables))) ?? [];
  // Those that are missing are named, too, so that they are missed as any other job is.
  const suffixes = [...wanted.map(({ suffix }) => suffix), ...missing.map(suffixOf)];
  return suffixes.map((suffix) => ({ ...need, name: `${need.name}${suffix}`, combinations: undefined }));
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
