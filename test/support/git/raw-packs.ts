/** Packs of any bytes, sound or not. */

import { deflateSync } from "node:zlib";
import { entryHeader } from "../../../src/git/packing/entry-header.ts";
import { sevenBits } from "../disk/pack-files.ts";

const types = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;
export type RawType = keyof typeof types;

/** The id of an object, as bytes. */
export function rawOid(type: RawType, content: Uint8Array): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha1").update(`${type} ${content.length}\0`).update(content).digest());
}

/** An entry with an object. `size` is what it says. */
export function whole(type: RawType, content: Uint8Array | string, size = Buffer.from(content).length): Buffer {
  return Buffer.concat([entryHeader(types[type], size), deflateSync(content)]);
}

/** An entry with a delta of the object that begins so many bytes before it. */
export function offsetDelta(distance: Buffer | number, delta: Buffer, size = delta.length): Buffer {
  const far = typeof distance === "number" ? distanceBytes(distance) : distance;
  return Buffer.concat([entryHeader(6, size), far, deflateSync(delta)]);
}

/** An entry with a delta of the object with an id. */
export function idDelta(base: Buffer, delta: Buffer, size = delta.length): Buffer {
  return Buffer.concat([entryHeader(7, size), base, deflateSync(delta)]);
}

/** A delta: the sizes that it says, then its instructions. */
export function delta(baseBytes: number, resultBytes: number, ...instructions: readonly Buffer[]): Buffer {
  return Buffer.concat([sevenBits(baseBytes), sevenBits(resultBytes), ...instructions]);
}

/** An instruction that copies from the base. */
export function copy(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(8, 0xff);
  bytes.writeUInt32LE(from, 1);
  bytes.writeUIntLE(length, 5, 3);
  return bytes;
}

/** Instructions that insert bytes. */
export function insert(content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 127) {
    const part = bytes.subarray(at, at + 127);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

function distanceBytes(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(128 | (rest % 128));
  }
  return Buffer.from(bytes);
}

interface PackHead {
  readonly magic?: string;
  readonly version?: number;
  readonly count?: number;
}

/** A pack of entries, with its hash behind them. */
export function packOf(entries: readonly Buffer[], head: PackHead = {}): Buffer {
  const { magic = "PACK", version = 2, count = entries.length } = head;
  const header = Buffer.alloc(12);
  header.write(magic, "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  return sealed(Buffer.concat([header, ...entries]));
}

/** Bytes with their hash behind them. */
export function sealed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, new Bun.CryptoHasher("sha1").update(bytes).digest()]);
}

/** A tree: modes, names and ids as they are given. */
export function treeOf(entries: readonly (readonly [mode: string, name: string | Buffer, oid: Buffer])[]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), oid]),
  );
}
