/** `$[[ inputs.name | function ]]`: values of inputs in the texts of a file. */

import type { Budget } from "../budget.ts";
import { inspect, textOf } from "../ruby-values.ts";
import { ExpansionBudget } from "../rules/expansion.ts";
import type { Variables } from "../rules/expressions.ts";
import { CiFileError, isMapping, type Mapping } from "../values.ts";
import type { InputValues } from "./input-values.ts";

/** The values that a file may name. */
export interface InterpolationContext {
  readonly inputs: InputValues;
  /** Facts about the component that the file belongs to. */
  readonly component: ReadonlyMap<string, string>;
  readonly variables: Variables;
}

const [blockBegin, blockEnd] = ["$[[", "]]"];
/** The content of a block is longer. */
const dataLengthMin = 2;
const blocksMax = 10_000;
const functionsMax = 3;
const accessLengthMax = 1024;
const accessPartsMax = 5;
/** Characters of one text, and of all that the blocks of one file stand for. */
const [nodeLengthMax, charactersMax] = [1024 * 1024, 4_000_000];
const stepsPerNode = 1;
const charactersPerStep = 100;

/** The file with values in place of the blocks. Throws `CiFileError`. */
export function interpolate(content: Mapping, context: InterpolationContext, budget: Budget): Mapping {
  return new Interpolation(context, budget).of(content) as Mapping;
}

class Interpolation {
  readonly #context: InterpolationContext;
  readonly #budget: Budget;
  readonly #blocks = new Map<string, unknown>();
  /** Parts that aliases share stay shared. */
  readonly #known = new Map<object, unknown>();
  #characters = 0;

  constructor(context: InterpolationContext, budget: Budget) {
    this.#context = context;
    this.#budget = budget;
  }

  of(value: unknown): unknown {
    this.#budget.charge(stepsPerNode);
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return value;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const made = this.#collection(value);
    this.#known.set(value, made);
    return made;
  }

  #collection(value: object): unknown {
    if (Array.isArray(value)) return value.flatMap((item) => this.#item(item));
    if (!isMapping(value)) return value;
    const entries = Object.entries(value).map(
      ([key, inner]) => [this.#asText(this.#text(key)), this.of(inner)] as const,
    );
    return Object.fromEntries(entries);
  }

  /** A list in place of a text becomes part of the list around it. */
  #item(item: unknown): unknown[] {
    const made = this.of(item);
    return typeof item === "string" && Array.isArray(made) ? made : [made];
  }

  /** A block alone keeps the type of its value. */
  #text(text: string): unknown {
    if (text.length > nodeLengthMax) throw new CiFileError("config node too large");
    if (!text.includes(blockBegin)) return text;
    this.#budget.charge(text.length / charactersPerStep);
    let [made, end] = ["", 0];
    for (const { index, written, data } of blocksIn(text)) {
      const value = this.#block(written, data);
      if (written.length === text.length) return value;
      const shown = this.#asText(value);
      this.#take(shown.length);
      made += text.slice(end, index) + shown;
      end = index + written.length;
    }
    return made + text.slice(end);
  }

  #asText(value: unknown): string {
    return value === null || value === undefined ? "" : (textOf(value) ?? inspect(value, this.#budget));
  }

  #take(length: number): void {
    this.#budget.charge(length / charactersPerStep);
    this.#characters += length;
    if (this.#characters > charactersMax) throw new CiFileError("config too large");
  }

  #block(written: string, data: string): unknown {
    if (this.#blocks.has(written)) return this.#blocks.get(written);
    if (this.#blocks.size >= blocksMax) throw new CiFileError("too many interpolation blocks");
    const [access = "", ...functions] = data.split("|").map((part) => part.trim());
    const value = this.#accessed(access);
    if (functions.length > functionsMax) throw new CiFileError("too many functions in interpolation block");
    const result = functions
      .map((written) => functionOf(written))
      .reduce((input, apply) => apply(input, this.#context.variables, this.#budget), value);
    this.#blocks.set(written, result);
    return result;
  }

  #accessed(access: string): unknown {
    if (Buffer.byteLength(access) > accessLengthMax) {
      throw new CiFileError("maximum interpolation expression size exceeded");
    }
    const [kind = "", ...keys] = access.split(".").slice(0, accessPartsMax);
    if (keys.length === 0) throw new CiFileError("invalid interpolation access pattern");
    const { inputs, component } = this.#context;
    const places: Readonly<Record<string, ReadonlyMap<string, unknown>>> = { inputs, component };
    const place = Object.hasOwn(places, kind) ? places[kind] : undefined;
    if (place === undefined) throw unknown(kind, access);
    const [key = "", next] = keys;
    if (!place.has(key)) throw unknown(key, access);
    if (next !== undefined) throw unknown(next, access);
    return place.get(key);
  }
}

interface Block {
  readonly index: number;
  readonly written: string;
  readonly data: string;
}

/**
 * A block is on one line, but for space at its ends. A file may begin thousands of blocks and end none, so that what one look
 * found serves those after it.
 */
function* blocksIn(text: string): Generator<Block> {
  let [end, dataEnd, newline] = [-1, -1, -1];
  for (let index = text.indexOf(blockBegin); index !== -1; ) {
    let start = index + blockBegin.length;
    while (isSpace(text[start])) start += 1;
    while (dataEnd < start + dataLengthMin) {
      end = text.indexOf(blockEnd, Math.max(end + 1, start));
      if (end === -1) return;
      dataEnd = end;
      while (isSpace(text[dataEnd - 1])) dataEnd -= 1;
    }
    if (newline < start) newline = text.indexOf("\n", start);
    if (newline === -1) newline = text.length;
    const isBlock = newline >= dataEnd;
    const next = isBlock ? end + blockEnd.length : start;
    if (isBlock) yield { index, written: text.slice(index, next), data: text.slice(start, dataEnd) };
    index = text.indexOf(blockBegin, next);
  }
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t";
}

function unknown(key: string, access: string): CiFileError {
  return new CiFileError(`unknown interpolation provided: \`${key}\` in \`${access}\``);
}

type Apply = (input: unknown, variables: Variables, budget: Budget) => unknown;

function functionOf(written: string): Apply {
  const truncation = /^truncate\(\s*(\d+)\s*,\s*(\d+)\s*\)?$/.exec(written);
  if (truncation !== null) {
    const [start, length] = [Number(truncation[1]), Number(truncation[2])];
    return onText("truncate", (text) => [...text].slice(start, start + length).join(""));
  }
  const separation = /^split\('([^']*)'\)$/.exec(written);
  if (separation !== null) return onText("split", (text) => splitAt(text, separation[1] as string));
  if (written === "expand_vars") return onText(written, expandKnown);
  if (written === "posix_escape") return onText(written, escapeForShell);
  throw new CiFileError(
    `no function matching \`${written}\`: check that the function name, arguments, and types are correct`,
  );
}

function onText(name: string, apply: (text: string, variables: Variables, budget: Budget) => unknown): Apply {
  return (input, variables, budget) => {
    if (typeof input === "string") {
      budget.charge(1 + input.length / charactersPerStep);
      return apply(input, variables, budget);
    }
    const problem = `invalid input type: ${name} can only be used with string inputs`;
    throw new CiFileError(`error in \`${name}\` function: ${problem}`);
  };
}

function splitAt(text: string, separator: string): string[] {
  if (separator === "") throw new CiFileError("error in `split` function: invalid argument: separator cannot be empty");
  const parts = text.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** Variables that are not there stay as they stand, and their values are not expanded again. */
function expandKnown(text: string, variables: Variables, budget: Budget): string {
  const room = new ExpansionBudget(budget);
  return text.replaceAll(
    /\$(?:(\w+)|\{(\w+)\})|%(\w+)%/g,
    (written, plain?: string, braced?: string, percent?: string) => {
      const value = variables.get((plain ?? braced ?? percent) as string) ?? written;
      room.take(value.length);
      return value;
    },
  );
}

/** As Ruby's `Shellwords.escape`. */
function escapeForShell(text: string): string {
  if (text === "") return "''";
  return text.replaceAll(/[^\w\-.,:+/@\n]/g, "\\$&").replaceAll("\n", "'\n'");
}
