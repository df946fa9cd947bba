/** The values of a CI file, and errors about them. */

const messageLengthMax = 1000;

/** An error in a CI file; the message is the text in `yaml_errors`. */
export class CiFileError extends Error {
  override readonly name = "CiFileError";

  /** @param message may quote the file: it is cut to a limit */
  constructor(message: string, options?: ErrorOptions) {
    const isLong = message.length > messageLengthMax;
    super(isLong ? `${message.slice(0, messageLengthMax).toWellFormed()}…` : message, options);
  }
}

/** A mapping of the file. */
export type Mapping = Readonly<Record<string, unknown>>;

/** `!reference [name, keyword]`, before it is resolved. */
export class Reference {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    this.path = path;
  }
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Reference);
}

/** Throws `CiFileError` for an unknown key: it is a mistake, or something that would silently not happen. */
export function requireKnownKeys(mapping: Mapping, known: ReadonlySet<string>, label: string): void {
  const unknown = Object.keys(mapping).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new CiFileError(`${label} config contains unknown keys: ${unknown.join(", ")}`);
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

/** The names in `variables:` whose values are not expanded: `KEY: { value, expand: false }`. */
export function rawVariablesOf(value: unknown): Set<string> {
  const names = isMapping(value) ? Object.keys(value) : [];
  return new Set(names.filter((key) => isMapping(value) && isMapping(value[key]) && value[key].expand === false));
}
