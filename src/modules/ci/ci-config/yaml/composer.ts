/** The values that the tokens of a YAML document stand for. */

import type { Budget } from "../budget.ts";
import { tooBig } from "../extent.ts";
import { inspect, textOf } from "../ruby-values.ts";
import { CiFileError, isMapping, Reference } from "../values.ts";
import { syntaxError } from "./cursor.ts";
import { plainValue } from "./plain-values.ts";
import { Scanner } from "./scanner.ts";
import type { Token } from "./token.ts";

/** Keys and values that the documents of one file may have. */
const nodesMax = 120_000;
/** Entries of mappings that the merge keys of one file may copy: twice as many as it may have in the end. */
const copiesMax = 100_000;
/** Lists and mappings in each other. */
const depthMax = 100;
const [stepsPerNode, stepsPerCopy] = [3, 1];
const mergeKey = "<<";
const [textTag, binaryTag, floatTag] = ["str", "binary", "float"].map((name) => [`!${name}`, `!!${name}`]) as [
  ...[string[], string[], string[]],
];

/** Stands for the value of an anchor until its end is read. */
const open = Symbol("open");

export class Composer {
  readonly #scanner: Scanner;
  readonly #budget: Budget;
  readonly #anchors = new Map<string, unknown>();
  #nodes = 0;
  #copies = 0;

  /** @param line the number of lines of the file before `text` */
  constructor(text: string, line: number, budget: Budget) {
    this.#scanner = new Scanner(text, line);
    this.#budget = budget;
  }

  /** The value of the first document. Throws `CiFileError`. */
  document(): unknown {
    while (this.#skip("directive")) {}
    this.#skip("document-start");
    const value = this.#isNext("end", "document-start", "document-end") ? null : this.#node(true, false, 0);
    // Its last line may be wrong.
    this.#scanner.peek();
    return value;
  }

  #isNext(...kinds: readonly Token["kind"][]): boolean {
    return kinds.includes(this.#scanner.peek().kind);
  }

  #skip(kind: Token["kind"]): boolean {
    if (!this.#isNext(kind)) return false;
    this.#scanner.next();
    return true;
  }

  #count(): void {
    this.#nodes += 1;
    this.#budget.charge(stepsPerNode);
    if (this.#nodes > nodesMax) throw new CiFileError(tooBig);
  }

  /** A key or value that is left out. */
  #nothing(): null {
    this.#count();
    return null;
  }

  /** @param mayBeEntries a list may begin in the column of the key that has it */
  #node(isInBlock: boolean, mayBeEntries: boolean, depth: number): unknown {
    this.#count();
    if (depth > depthMax) throw new CiFileError(tooBig);
    if (this.#isNext("alias")) return this.#alias(this.#scanner.next());
    let anchor: string | undefined;
    let tag: string | undefined;
    while (this.#isNext("anchor", "tag")) {
      const { kind, text, mark } = this.#scanner.next();
      if ((kind === "anchor" ? anchor : tag) !== undefined) throw noContent(isInBlock, { mark });
      if (kind === "anchor") anchor = text;
      else tag = text;
    }
    if (anchor !== undefined) this.#anchors.set(anchor, open);
    const value = this.#tagged(tag, this.#content(tag, anchor, { isInBlock, mayBeEntries, depth }));
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    return value;
  }

  #content(
    tag: string | undefined,
    anchor: string | undefined,
    { isInBlock, mayBeEntries, depth }: { isInBlock: boolean; mayBeEntries: boolean; depth: number },
  ): unknown {
    const token = this.#scanner.peek();
    if (mayBeEntries && token.kind === "block-entry") return this.#entries(depth);
    if (token.kind === "scalar") return scalarValue(this.#scanner.next(), tag);
    if (token.kind === "flow-sequence") return this.#flowSequence(depth);
    if (token.kind === "flow-mapping") return this.#flowMapping(depth);
    if (isInBlock && token.kind === "block-sequence") return this.#blockSequence(depth);
    if (isInBlock && token.kind === "block-mapping") return this.#blockMapping(depth);
    if (tag === undefined && anchor === undefined) throw noContent(isInBlock, token);
    return scalarValue({ text: "", isPlain: true }, tag);
  }

  #alias({ text }: Token): unknown {
    if (!this.#anchors.has(text)) throw new CiFileError(`Unknown alias: ${text}`);
    const value = this.#anchors.get(text);
    if (value === open) throw new CiFileError(tooBig);
    return value;
  }

  /** A list whose dashes are in the column of the mapping around it. */
  #entries(depth: number): unknown[] {
    const items: unknown[] = [];
    while (this.#skip("block-entry")) {
      const isEmpty = this.#isNext("block-entry", "key", "value", "block-end");
      items.push(isEmpty ? this.#nothing() : this.#node(true, false, depth + 1));
    }
    return items;
  }

  #blockSequence(depth: number): unknown[] {
    const { mark } = this.#scanner.next();
    const items: unknown[] = [];
    while (!this.#skip("block-end")) {
      if (!this.#skip("block-entry")) {
        throw syntaxError(mark, "did not find expected '-' indicator", "while parsing a block collection");
      }
      items.push(this.#isNext("block-entry", "block-end") ? this.#nothing() : this.#node(true, false, depth + 1));
    }
    return items;
  }

  #blockMapping(depth: number): object {
    const { mark } = this.#scanner.next();
    const entries = new Map<string, unknown>();
    while (!this.#skip("block-end")) {
      if (!this.#skip("key")) {
        throw syntaxError(mark, "did not find expected key", "while parsing a block mapping");
      }
      const key = this.#isNext("key", "value", "block-end") ? this.#nothing() : this.#node(true, true, depth + 1);
      const hasValue = this.#skip("value") && !this.#isNext("key", "value", "block-end");
      this.#put(entries, key, () => (hasValue ? this.#node(true, true, depth + 1) : this.#nothing()));
    }
    return Object.fromEntries(entries);
  }

  #flowSequence(depth: number): unknown[] {
    const { mark } = this.#scanner.next();
    const items: unknown[] = [];
    while (!this.#skip("flow-end-sequence")) {
      if (items.length > 0 && !this.#skip("flow-entry")) {
        throw syntaxError(mark, "did not find expected ',' or ']'", "while parsing a flow sequence");
      }
      if (this.#skip("flow-end-sequence")) break;
      items.push(this.#isNext("key") ? this.#pair(depth + 1) : this.#node(false, false, depth + 1));
    }
    return items;
  }

  /** `key: value` in a list in brackets. */
  #pair(depth: number): object {
    const entries = new Map<string, unknown>();
    this.#flowEntry(entries, ["flow-entry", "flow-end-sequence"], depth);
    return Object.fromEntries(entries);
  }

  #flowMapping(depth: number): object {
    const { mark } = this.#scanner.next();
    const entries = new Map<string, unknown>();
    for (let isFirst = true; !this.#skip("flow-end-mapping"); isFirst = false) {
      if (!isFirst && !this.#skip("flow-entry")) {
        throw syntaxError(mark, "did not find expected ',' or '}'", "while parsing a flow mapping");
      }
      if (this.#skip("flow-end-mapping")) break;
      this.#flowEntry(entries, ["flow-entry", "flow-end-mapping"], depth);
    }
    return Object.fromEntries(entries);
  }

  #flowEntry(entries: Map<string, unknown>, ends: readonly Token["kind"][], depth: number): void {
    this.#skip("key");
    const key = this.#isNext("value", ...ends) ? this.#nothing() : this.#node(false, false, depth + 1);
    const hasValue = this.#skip("value") && !this.#isNext(...ends);
    this.#put(entries, key, () => (hasValue ? this.#node(false, false, depth + 1) : this.#nothing()));
  }

  /** Other tags than `!reference` mean nothing, except those that name a class of Ruby. */
  #tagged(tag: string | undefined, value: unknown): unknown {
    if (tag === undefined) return value;
    if (tag === Reference.tag) return new Reference(value, this.#budget);
    const [, kind, name] = /^!ruby\/(\w+)(?::(.*))?$/.exec(tag) ?? [];
    if (kind !== undefined) throw new CiFileError(`Tried to load unspecified class: ${name ?? kind}`);
    return value;
  }

  #keyText(key: unknown): string {
    return key === null ? "" : (textOf(key) ?? inspect(key, this.#budget));
  }

  /** Of keys with one name the last one has its value. What a merge key names replaces what is before it. */
  #put(entries: Map<string, unknown>, key: unknown, read: () => unknown): void {
    const isAlias = this.#isNext("alias");
    const value = read();
    const merged = key === mergeKey ? this.#merged(value, isAlias) : undefined;
    if (merged === undefined) entries.set(this.#keyText(key), value);
    else for (const [name, inner] of merged) entries.set(name, inner);
  }

  /** The entries that `<<` names; undefined for a value that has none. Of a list the first wins. */
  #merged(value: unknown, isAlias: boolean): Map<string, unknown> | undefined {
    const sources: unknown[] = Array.isArray(value) && !isAlias ? value : [value];
    if (!sources.every(isMapping)) return undefined;
    const merged = new Map<string, unknown>();
    for (const source of sources.toReversed()) {
      const entries = Object.entries(source as object);
      this.#copies += entries.length;
      this.#budget.charge(entries.length * stepsPerCopy);
      if (this.#copies > copiesMax) throw new CiFileError(tooBig);
      for (const [name, inner] of entries) merged.set(name, inner);
    }
    return merged;
  }
}

function noContent(isInBlock: boolean, { mark }: Pick<Token, "mark">): CiFileError {
  const context = `while parsing a ${isInBlock ? "block" : "flow"} node`;
  return syntaxError(mark, "did not find expected node content", context);
}

function scalarValue({ text, isPlain }: Pick<Token, "text" | "isPlain">, tag: string | undefined): unknown {
  if (tag === Reference.tag) return text;
  if (tag === undefined) return isPlain ? plainValue(text) : text;
  if (tag === "!" || textTag.includes(tag)) return text;
  if (binaryTag.includes(tag)) return Buffer.from(text, "base64").toString();
  if (floatTag.includes(tag)) return plainValue(/^[-+]?[0-9]+$/.test(text) ? `${text}.0` : text);
  return plainValue(text);
}
