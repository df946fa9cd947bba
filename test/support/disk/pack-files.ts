import { mkdirSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/** An object of a pack: its bytes, or a delta of another object that is named by its id. */
export interface PackedObject {
  readonly oid: string;
  readonly type: "commit" | "tree" | "blob" | "tag" | "delta";
  readonly base?: string;
  readonly bytes: Uint8Array;
  /** The size that the pack says; default: that of `bytes`. */
  readonly size?: number;
}

const types = { commit: 1, tree: 2, blob: 3, tag: 4, delta: 7 } as const;

export function oidOf(type: string, bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Writes a pack and its index below a repository's folder. */
export function writePack(folder: string, objects: readonly PackedObject[]): void {
  const parts: Buffer[] = [Buffer.concat([Buffer.from("PACK"), uint32(2), uint32(objects.length)])];
  let at = 12;
  const places = objects.map((object) => {
    const size = entryHead(types[object.type], object.size ?? object.bytes.length);
    const part = Buffer.concat([size, Buffer.from(object.base ?? "", "hex"), deflateSync(object.bytes)]);
    const place = { oid: object.oid, offset: at, crc: crc32(part) };
    parts.push(part);
    at += part.length;
    return place;
  });
  const pack = withHash(Buffer.concat(parts));
  const sorted = places.toSorted((one, other) => (one.oid < other.oid ? -1 : 1));
  const fanout = Array.from({ length: 256 }, (_, first) =>
    uint32(sorted.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= first).length),
  );
  const index = Buffer.concat([
    Buffer.from("ff744f6300000002", "hex"),
    ...fanout,
    ...sorted.map(({ oid }) => Buffer.from(oid, "hex")),
    ...sorted.map(({ crc }) => uint32(crc)),
    ...sorted.map(({ offset }) => uint32(offset)),
    pack.subarray(-20),
  ]);
  mkdirSync(`${folder}/objects/pack`, { recursive: true });
  const name = `${folder}/objects/pack/pack-${pack.subarray(-20).toString("hex")}`;
  writeFileSync(`${name}.pack`, pack);
  writeFileSync(`${name}.idx`, withHash(index));
}

/** A delta that copies all of its base. */
export function copyingDelta(length: number): Buffer {
  const instructions: Buffer[] = [sevenBits(length), sevenBits(length)];
  for (let at = 0; at < length; at += 0xff_ff_ff) {
    const part = Buffer.alloc(8, 0xff);
    part.writeUInt32LE(at, 1);
    part.writeUIntLE(Math.min(0xff_ff_ff, length - at), 5, 3);
    instructions.push(part);
  }
  return Buffer.concat(instructions);
}

/** A number of seven bits a byte, the lowest first. */
export function sevenBits(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest < 128 ? 0 : 128));
    if (rest < 128) return Buffer.from(bytes);
  }
}

function entryHead(type: number, size: number): Buffer {
  const rest = Math.floor(size / 16);
  const first = type * 16 + (size % 16);
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first + 128]), sevenBits(rest)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function withHash(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, new Bun.CryptoHasher("sha1").update(bytes).digest()]);
}
