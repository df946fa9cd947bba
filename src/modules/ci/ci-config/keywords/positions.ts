/** The places of faults in the text of a CI file. */

import { isMapping, type Mapping } from "../values.ts";
import type { Path } from "./find-faults.ts";

/** Parts of a text with their places, as far as the library says them. */
type Part = import("yaml").ParsedNode | null;

interface Found {
  readonly offset: number;
  /** How many steps of the path were found. */
  readonly steps: number;
}

/** The longest part of a text that is parsed: the library is a hundred times slower than the parser of whole files. */
const blockLengthMax = 16 * 1024;
/** Characters that may be parsed for all faults of a file. */
const parsedMax = 64 * 1024;
/** Characters that may be searched for keys. */
const searchedMax = 16 * 1024 * 1024;
/** Jobs that are looked at for what a job extends. */
const basesMax = 20;

/** Finds places in one text; `file` is what the text says, with what it includes. */
export class Positions {
  readonly #text: string;
  readonly #file: Mapping;
  readonly #blocks = new Map<string, { readonly offset: number; readonly part: Part } | undefined>();
  #parsed = 0;
  #searched = 0;

  constructor(text: string, file: Mapping) {
    this.#text = text;
    this.#file = file;
  }

  /** `line 3, column 5` of a path, or of the nearest part of it; undefined: it is not in this text. */
  of(path: Path): string | undefined {
    const [name, ...below] = path;
    if (typeof name !== "string") return undefined;
    const found = this.#basesOf(name).map((base) => this.#find(base, below));
    const best = found.find((each) => each?.steps === below.length) ?? found[0];
    if (best === undefined) return undefined;
    const before = this.#text.slice(0, best.offset);
    const line = before.split("\n").length;
    return `line ${line}, column ${best.offset - before.lastIndexOf("\n")}`;
  }

  /** A job and those that it extends, the nearest first. */
  #basesOf(name: string): string[] {
    const names = [name];
    for (let at = 0; at < names.length && names.length < basesMax; at += 1) {
      const value = this.#file[names[at] as string];
      const bases: unknown[] = [(isMapping(value) ? value.extends : undefined) ?? []].flat();
      const added = bases.filter((base): base is string => typeof base === "string" && !names.includes(base));
      names.push(...added.reverse());
    }
    return names.slice(0, basesMax);
  }

  #find(name: string, below: Path): Found | undefined {
    const block = this.#blockOf(name);
    if (block === undefined) return undefined;
    let found: Found = { offset: block.offset, steps: 0 };
    let part = block.part;
    for (const step of below) {
      const next = childOf(part, step);
      if (next === undefined) break;
      found = { offset: block.offset + next.offset, steps: found.steps + 1 };
      part = next.part;
    }
    return found;
  }

  /** The part of the text behind a key at its top. */
  #blockOf(name: string) {
    if (this.#blocks.has(name)) return this.#blocks.get(name);
    const offset = this.#offsetOf(name);
    const block = offset === undefined ? undefined : { offset, part: this.#parse(offset) };
    this.#blocks.set(name, block);
    return block;
  }

  /** Of two keys of one name, the last counts. */
  #offsetOf(name: string): number | undefined {
    this.#searched += this.#text.length;
    if (this.#searched > searchedMax) return undefined;
    const written = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const keys = new RegExp(`^(["']?)${written}\\1[ \\t]*:(?=\\s|$)`, "gm");
    return [...this.#text.matchAll(keys)].at(-1)?.index;
  }

  #parse(offset: number): Part {
    const following = /^[^\s#\-}\]]/gm;
    following.lastIndex = offset + 1;
    const end = following.exec(this.#text)?.index ?? this.#text.length;
    this.#parsed += end - offset;
    if (end - offset > blockLengthMax || this.#parsed > parsedMax) return null;
    const { parseDocument } = require("yaml") as typeof import("yaml");
    const { contents } = parseDocument(this.#text.slice(offset, end), {
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "silent",
    });
    return childOf(contents, undefined)?.part ?? null;
  }
}

/** The part of a list or mapping; `undefined` stands for the first one of a mapping. */
function childOf(part: Part, step: string | number | undefined) {
  const { isMap, isScalar, isSeq } = require("yaml") as typeof import("yaml");
  if (isSeq(part) && typeof step === "number") {
    const item = part.items[step] as Part | undefined;
    return item === undefined || item === null ? undefined : { part: item, offset: item.range[0] };
  }
  if (!isMap(part) || typeof step === "number") return undefined;
  const pair = part.items.find(({ key }) => step === undefined || (isScalar(key) && String(key.value) === step));
  const { key, value } = pair ?? {};
  if (!isScalar(key) || key.range === undefined || key.range === null) return undefined;
  return { part: (value ?? null) as Part, offset: key.range[0] };
}
