import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { requestPace, spend, withoutBudget } from "../domain/work-budget.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { sorting } from "../lib/sorting.ts";
import { type Steps, stepLength, takeSteps } from "../lib/yield.ts";
import { ifThere } from "./durable.ts";

const [lineBreak, space, peeled] = [0x0a, 0x20, 0x5e];
/** A line has an object id, a space and the name. */
const [oidEnd, nameStart] = [40, 41];
/** Bytes of the longest name that is taken. */
const nameBytesMax = 4_096;
/** Bytes of the file that take as long to read as one step. */
const bytesPerStep = 4;
const startOfNames = Buffer.from("refs/");

/** The refs that `git gc` has gathered into one file, in the order of the bytes of their names. They stay bytes until they are asked for. */
export class PackedRefs {
  static readonly none = new PackedRefs(Buffer.alloc(0), new Uint32Array());

  readonly #file: Buffer;
  /** Offset of the first line of the refs. */
  readonly #lines: Uint32Array;

  constructor(file: Buffer, lines: Uint32Array) {
    this.#file = file;
    this.#lines = lines;
  }

  get size(): number {
    return this.#lines.length;
  }

  /** Bytes that this takes in memory. */
  get bytes(): number {
    return this.#file.length + this.#lines.byteLength;
  }

  /** The name from a byte of it on. */
  nameAt(index: number, from = 0): string {
    const line = this.#lines[index] as number;
    return this.#file.toString("utf8", line + nameStart + from, endOfLine(this.#file, line));
  }

  oidAt(index: number): string {
    const line = this.#lines[index] as number;
    return this.#file.toString("latin1", line, line + oidEnd);
  }

  /** The place of the first ref that is not before a name. */
  placeOf(name: Buffer): number {
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(middle, name) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** undefined when no ref is called so. */
  indexOf(ref: string): number | undefined {
    const name = Buffer.from(ref);
    const place = this.placeOf(name);
    return place < this.size && this.#compare(place, name) === 0 ? place : undefined;
  }

  get(ref: string): string | undefined {
    const index = this.indexOf(ref);
    return index === undefined ? undefined : this.oidAt(index);
  }

  /** The file without a ref, and without the line behind it that says what its tag leads to. */
  fileWithout(index: number): Buffer {
    const start = this.#lines[index] as number;
    let end = endOfLine(this.#file, start) + 1;
    if (this.#file[end] === peeled) end = endOfLine(this.#file, end) + 1;
    return Buffer.concat([this.#file.subarray(0, start), this.#file.subarray(end)]);
  }

  #compare(index: number, name: Buffer): number {
    const line = this.#lines[index] as number;
    return this.#file.compare(name, 0, name.length, line + nameStart, endOfLine(this.#file, line));
  }
}

interface Known {
  /** Tells this state of the file from others. */
  readonly stamp: string;
  readonly refs: PackedRefs;
}

/** The files of packed refs of all repositories: one that has not changed is read once. */
export class PackedRefFiles {
  readonly #known = new BoundedCache<Known>({
    bytesMax: 64 << 20,
    valueBytesMax: 64 << 20,
    bytesOf: ({ refs }) => refs.bytes,
  });
  readonly #reading = new Map<string, Promise<PackedRefs>>();

  /** The packed refs of a repository. Throws `OverBudget`. */
  async read(folder: string): Promise<PackedRefs> {
    const path = `${folder}/packed-refs`;
    const found = await ifThere(Promise.try(() => statSync(path, { bigint: true, throwIfNoEntry: false })));
    if (found?.isFile() !== true) return PackedRefs.none;
    const stamp = `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.refs;
    spend(Number(found.size) / bytesPerStep);
    const key = `${path} ${stamp}`;
    const reading = this.#reading.get(key) ?? withoutBudget(() => this.#read(path, stamp));
    this.#reading.set(key, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(key);
    }
  }

  async #read(path: string, stamp: string): Promise<PackedRefs> {
    const refs = await readPackedRefs(path);
    this.#known.set(path, { stamp, refs });
    return refs;
  }
}

async function readPackedRefs(path: string): Promise<PackedRefs> {
  const bytes = await ifThere(readFile(path));
  return bytes === undefined ? PackedRefs.none : takeSteps(parsing(bytes), requestPace());
}

function* parsing(file: Buffer): Steps<PackedRefs> {
  const lines: number[] = [];
  const compare = (one: number, other: number) =>
    file.compare(file, other + nameStart, endOfLine(file, other), one + nameStart, endOfLine(file, one));
  let isInOrder = true;
  let count = 0;
  for (let start = 0, end = 0; start < file.length; start = end + 1) {
    end = endOfLine(file, start);
    if (isRefLine(file, start, end)) {
      const last = lines.at(-1);
      isInOrder &&= last === undefined || compare(last, start) < 0;
      lines.push(start);
    }
    count += 1;
    if (count % stepLength === 0) yield;
  }
  if (isInOrder) return new PackedRefs(file, Uint32Array.from(lines));
  const sorted = yield* sorting(lines, compare);
  // Of several lines for one ref, the last one counts.
  const last = sorted.filter((line, at) => at + 1 === sorted.length || compare(line, sorted[at + 1] as number) !== 0);
  return new PackedRefs(file, Uint32Array.from(last));
}

function endOfLine(file: Buffer, start: number): number {
  const end = file.indexOf(lineBreak, start);
  return end === -1 ? file.length : end;
}

function isRefLine(file: Buffer, start: number, end: number): boolean {
  const name = start + nameStart;
  if (end - name <= startOfNames.length || end - name > nameBytesMax || file[name - 1] !== space) return false;
  if (file.compare(startOfNames, 0, startOfNames.length, name, name + startOfNames.length) !== 0) return false;
  for (let at = start; at < start + oidEnd; at += 1) if (!isHexDigit(file[at] as number)) return false;
  for (let at = name; at < end; at += 1) if ((file[at] as number) <= space) return false;
  return true;
}

/** Git writes small letters. */
function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}
