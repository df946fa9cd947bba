import { kindOf, type Mapping } from "./mapping.ts";

/** A difference between the recorded and the new answer. */
export interface Difference {
  /** `status`, or the path of a field, such as `[0].author.name`. */
  readonly at: string;
  readonly recorded: unknown;
  readonly came: unknown;
}

const time = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z| UTC|[+-]\d\d:?\d\d)?)?$/;
/** Matches digests and UUIDs. */
const drawn = /^(?:[\da-f]{7,64}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/;
const label = /^\[(?:token [^\]]+|secret)\]$/;
/** Matches the names of measured values, which differ in each run. */
const measured = /(?:duration|seconds|bytes|uptime|position)$/;
/** Matches the parts of texts that differ in each run: numbers, digests and times. */
const partsThatDiffer = /[\da-f]{7,64}|\d+/g;

/**
 * Compares values, and learns the ids and texts of the other server. `kind` is a plural resource name, as returned by
 * `kindOf`.
 */
export class Comparison {
  readonly #mapping: Mapping;
  readonly differences: Difference[] = [];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  value(at: string, name: string, kind: string, recorded: unknown, came: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(came)) this.#list(at, name, kind, recorded, came);
    else if (isObject(recorded) && isObject(came)) this.#object(at, kind, recorded, came);
    else if (typeof recorded === "number" && typeof came === "number") {
      if (!this.#isSameNumber(name, kind, recorded, came)) this.#note(at, recorded, came);
    } else if (typeof recorded === "string" && typeof came === "string") {
      if (!this.#isSameText(recorded, came)) this.#note(at, recorded, came);
    } else if (recorded !== came) this.#note(at, recorded, came);
  }

  #list(at: string, name: string, kind: string, recorded: readonly unknown[], came: readonly unknown[]): void {
    if (recorded.length !== came.length) this.#note(`${at}.length`, recorded.length, came.length);
    const length = Math.min(recorded.length, came.length);
    for (let index = 0; index < length; index += 1) {
      this.value(`${at}[${index}]`, name, kind, recorded[index], came[index]);
    }
  }

  #object(at: string, kind: string, recorded: Fields, came: Fields): void {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(came)])) {
      const nested = isObject(recorded[key]) || Array.isArray(recorded[key]) ? kindOf(key) : kind;
      this.value(at === "" ? key : `${at}.${key}`, key, nested, recorded[key], came[key]);
    }
  }

  #isSameNumber(name: string, kind: string, recorded: number, came: number): boolean {
    if (name === "id") return this.#mapping.learnId(kind, recorded, came);
    if (/_ids?$/.test(name)) return this.#mapping.learnId(kindOf(name), recorded, came);
    return recorded === came || measured.test(name);
  }

  #isSameText(recorded: string, came: string): boolean {
    if (label.test(recorded)) {
      this.#mapping.learnText(recorded, came);
      return true;
    }
    if (this.#mapping.text(recorded) === came) return true;
    if (time.test(recorded) && time.test(came)) return true;
    if (drawn.test(recorded) && drawn.test(came)) {
      this.#mapping.learnText(recorded, came);
      return true;
    }
    const blurred = (text: string) => text.replace(partsThatDiffer, "#");
    return /[/:]/.test(recorded) && blurred(this.#mapping.text(recorded)) === blurred(came);
  }

  #note(at: string, recorded: unknown, came: unknown): void {
    this.differences.push({ at, recorded, came });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
