/** Deltas of packs (gitformat-pack): an object as pieces of another one, and bytes in between. */

import { nextTurn } from "../../domain/work-budget.ts";

/** Instructions, and bytes that are copied, after which others have their turn: a millisecond or so. */
const instructionsPerTurn = 20_000;
const bytesPerTurn = 1 << 20;

/** The beginning of a delta. */
export interface DeltaHeader {
  readonly baseBytes: number;
  readonly resultBytes: number;
  /** Offset of the first instruction. */
  readonly start: number;
}

/** undefined for bytes that are no delta. */
export function deltaHeader(delta: Buffer): DeltaHeader | undefined {
  const base = numberAt(delta, 0);
  const result = base === undefined ? undefined : numberAt(delta, base.end);
  if (base === undefined || result === undefined) return undefined;
  return { baseBytes: base.value, resultBytes: result.value, start: result.end };
}

/** Applies a delta in slices. Throws for one that does not fit the base or itself. */
export async function applyDelta(base: Buffer, delta: Buffer): Promise<Buffer> {
  const slices = applying(base, delta);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done === true) return slice.value;
    await nextTurn();
  }
}

/** The same at once, on a thread that serves nobody else. */
export function applyDeltaNow(base: Buffer, delta: Buffer): Buffer {
  const slices = applying(base, delta);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done === true) return slice.value;
}

function* applying(base: Buffer, delta: Buffer): Generator<void, Buffer> {
  const header = deltaHeader(delta);
  if (header?.baseBytes !== base.length) throw damaged();
  const { resultBytes, start } = header;
  const result = Buffer.allocUnsafe(resultBytes);
  let written = 0;
  let instructions = 0;
  let turnEnd = bytesPerTurn;
  for (let at = start; at < delta.length; ) {
    instructions += 1;
    if (instructions % instructionsPerTurn === 0 || written > turnEnd) {
      turnEnd = written + bytesPerTurn;
      yield;
    }
    const instruction = delta[at] as number;
    at += 1;
    const isCopy = instruction >= 0x80;
    // Each of the lower bits says that one byte of the place or the length follows.
    const from = isCopy ? littleEndian(delta, at, instruction & 0x0f) : at;
    at += isCopy ? bitsOf(instruction & 0x0f) : 0;
    const length = isCopy ? littleEndian(delta, at, (instruction >> 4) & 0x07) || 0x1_00_00 : instruction;
    at += isCopy ? bitsOf(instruction & 0x70) : length;
    const source = isCopy ? base : delta;
    if (length === 0 || from + length > source.length || written + length > resultBytes) throw damaged();
    source.copy(result, written, from, from + length);
    written += length;
  }
  if (written !== resultBytes) throw damaged();
  return result;
}

/** The bytes that `mask` says are there, the lowest first; those that are not are zero. */
function littleEndian(bytes: Buffer, start: number, mask: number): number {
  let value = 0;
  let at = start;
  for (let bit = 0; bit < 4; bit += 1) {
    if ((mask & (1 << bit)) === 0) continue;
    if (at >= bytes.length) throw damaged();
    value += (bytes[at] as number) * 2 ** (8 * bit);
    at += 1;
  }
  return value;
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/** A number of seven bits a byte, the lowest first. */
function numberAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < Math.min(bytes.length, start + 7); at += 1) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}

function damaged(): Error {
  return new Error("a delta of a pack is damaged");
}
