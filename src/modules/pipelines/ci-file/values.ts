/** What is wrong with a CI file; the text is what `yaml_errors` shows. */
export class CiFileError extends Error {
  override readonly name = "CiFileError";
}

/** A mapping of the file. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists may hold lists, as `!reference` and anchors make them; a text alone is a list of one. */
export function textsOf(value: unknown, label: string): string[] {
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map((item) => {
    if (typeof item === "string") return item;
    if (typeof item === "number" || typeof item === "boolean") return String(item);
    throw new CiFileError(`${label} config should be a string or a nested array of strings up to 10 levels deep`);
  });
}

/** `variables:` of the file, of a job or of a rule: `KEY: value` or `KEY: { value, description }`. */
export function variablesOf(value: unknown, label: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isMapping(value)) throw new CiFileError(`${label}:variables config should be a hash`);
  const entries = Object.entries(value).map(([key, given]) => {
    const plain = isMapping(given) ? (given.value ?? "") : (given ?? "");
    if (typeof plain === "object") {
      throw new CiFileError(`${label}:variables config should be a hash of key value pairs`);
    }
    return [key, String(plain)] as const;
  });
  return Object.fromEntries(entries);
}

/** More is no file that somebody wrote, but aliases of aliases. */
const nodesMax = 50_000;
const depthMax = 100;

/** Aliases share what they name, so a small file can stand for a huge one: this counts what it stands for. */
export function refuseTooLarge(value: unknown): void {
  let nodes = 0;
  const count = (each: unknown, depth: number) => {
    nodes += 1;
    if (nodes > nodesMax || depth > depthMax) throw new CiFileError("The parsed YAML is too big");
    if (typeof each !== "object" || each === null) return;
    for (const inner of Object.values(each)) count(inner, depth + 1);
  };
  count(value, 0);
}
