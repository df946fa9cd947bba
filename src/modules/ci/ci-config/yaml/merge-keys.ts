/** Merge keys (`<<`) of CI files, merged against the budget. */

import type { Budget } from "../budget.ts";
import { tooBig } from "../extent.ts";
import { CiFileError } from "../values.ts";

const noYaml = "Invalid configuration format";
const enclosing = `${noYaml}: YAML Parse error: Merge key cannot reference an enclosing node`;

const mergeKey = "<<";
/** Texts `<<` of one file, in scripts, too. */
const mergeKeysMax = 50_000;
/** Entries of mappings that the merge keys of one file may copy: twice as many as it may have in the end. */
const copiesMax = 100_000;
const [stepsPerValue, stepsPerCopy, stepsPerSign] = [1, 2, 1 / 64];

/** `<<` that the parser would put together: of an escape, or from the ends of two lines. */
const disguised = /(?:<|\\(?:x3c|u003c|U0000003c))(?:\\\r?\n\s*)*(?:<|\\(?:x3c|u003c|U0000003c))/i;

/** Characters for private use, which no file has in a row. */
const marker = "\u{E001}\u{F4B2}\u{E8D7}";
const name = new RegExp(`^${marker}\\d+;$`);
const names = new RegExp(`${marker}\\d+;`, "g");

/** A file without merge keys that the parser knows. */
interface Unmerged {
  readonly text: string;
  /** Merges what the parser made of `text`. Throws `CiFileError`. */
  merge(file: unknown): unknown;
}

/**
 * The parser copies all that `<<` names into each mapping that has it, and counts nothing: a thousand keys in a thousand
 * mappings hold the event loop for a third of a second. So each `<<` of a file gets a name of its own, and `merge` does
 * the copying, against the budget. undefined for a file without `<<`. Throws `CiFileError`.
 */
export function withoutMergeKeys(text: string, budget: Budget): Unmerged | undefined {
  if (disguised.test(text.replaceAll(mergeKey, "")))
    throw new CiFileError(`${noYaml}: ${mergeKey} is written with escapes`);
  if (!text.includes(mergeKey)) return undefined;
  if (text.includes(marker)) throw new CiFileError(`${noYaml}: signs for private use`);
  let count = 0;
  const named = text.replaceAll(mergeKey, () => {
    count += 1;
    if (count > mergeKeysMax) throw new CiFileError(tooBig);
    return `${marker}${count};`;
  });
  return { text: named, merge: (file) => new Merge(budget).of(file) };
}

type Entry = readonly [key: string, value: unknown];

class Merge {
  readonly #budget: Budget;
  /** Aliases share values. */
  readonly #made = new Map<object, unknown>();
  readonly #entries = new Map<object, readonly Entry[]>();
  readonly #open = new Set<object>();
  #copies = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  of(value: unknown): unknown {
    this.#budget.charge(stepsPerValue);
    if (typeof value === "string") return this.#written(value);
    if (typeof value !== "object" || value === null) return value;
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    if (this.#open.has(value)) throw new CiFileError(tooBig);
    this.#open.add(value);
    const made = Array.isArray(value) ? value.map((each) => this.of(each)) : this.#mapping(value);
    this.#open.delete(value);
    this.#made.set(value, made);
    return made;
  }

  /** Its own entries are above those that it merges; of these the first are. */
  #mapping(mapping: object): object {
    const entries: Entry[] = [];
    const keys = new Set<string>();
    const add = (key: string, value: unknown) => {
      keys.add(key);
      entries.push([key, value]);
    };
    for (const [key, value] of Object.entries(mapping)) {
      if (typeof value !== "object" || value === null || !name.test(key)) {
        add(this.#written(key), this.of(value));
        continue;
      }
      for (const each of Array.isArray(value) ? value : [value]) {
        for (const [merged, of] of this.#merged(each)) if (!keys.has(merged)) add(merged, of);
      }
    }
    this.#entries.set(mapping, entries);
    return Object.fromEntries(entries);
  }

  /** The entries to be merged, in the order in which the parser merges them: from the end. */
  #merged(from: unknown): readonly Entry[] {
    if (typeof from !== "object" || from === null || Array.isArray(from)) return [];
    if (this.#open.has(from)) throw new CiFileError(enclosing);
    this.of(from);
    const entries = this.#entries.get(from) ?? [];
    this.#copies += entries.length;
    this.#budget.charge(entries.length * stepsPerCopy);
    if (this.#copies > copiesMax) throw new CiFileError(tooBig);
    return entries.toReversed();
  }

  /** A text with `<<` as the file has it. */
  #written(text: string): string {
    this.#budget.charge(text.length * stepsPerSign);
    return text.includes(marker) ? text.replace(names, mergeKey) : text;
  }
}
