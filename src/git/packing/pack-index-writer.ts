/** Writes the index of a pack (gitformat-pack, version 2). */

import { writeFileSync } from "node:fs";
import { oidBytes } from "./oid-table.ts";

/** The objects of a pack by their places in it. */
export interface PackContents {
  readonly count: number;
  /** 20 bytes each. */
  readonly oids: Uint8Array;
  readonly crcs: Uint32Array;
  readonly offsets: Float64Array;
}

const headerBytes = 8;
const fanoutBytes = 256 * 4;
const largeOffset = 0x80_00_00_00;

/** `packHash` is the trailer of the pack. */
export function writePackIndex(path: string, contents: PackContents, packHash: Uint8Array): void {
  const { count, oids, crcs, offsets } = contents;
  const bytes = Buffer.from(oids.buffer, oids.byteOffset, count * oidBytes);
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort((one, other) =>
    bytes.compare(bytes, other * oidBytes, (other + 1) * oidBytes, one * oidBytes, (one + 1) * oidBytes),
  );
  const large = order.filter((at) => (offsets[at] as number) >= largeOffset);
  const index = Buffer.alloc(headerBytes + fanoutBytes + (oidBytes + 8) * count + 8 * large.length + 2 * oidBytes);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  const oidsStart = headerBytes + fanoutBytes;
  const crcsStart = oidsStart + oidBytes * count;
  const offsetsStart = crcsStart + 4 * count;
  const largeStart = offsetsStart + 4 * count;
  const fanout = new Uint32Array(256);
  let largeCount = 0;
  for (const [place, at] of order.entries()) {
    bytes.copy(index, oidsStart + oidBytes * place, at * oidBytes, (at + 1) * oidBytes);
    index.writeUInt32BE(crcs[at] as number, crcsStart + 4 * place);
    const offset = offsets[at] as number;
    if (offset < largeOffset) index.writeUInt32BE(offset, offsetsStart + 4 * place);
    else {
      index.writeUInt32BE(largeOffset + largeCount, offsetsStart + 4 * place);
      index.writeBigUInt64BE(BigInt(offset), largeStart + 8 * largeCount);
      largeCount += 1;
    }
    const first = bytes[at * oidBytes] as number;
    fanout[first] = (fanout[first] as number) + 1;
  }
  let sum = 0;
  for (const [first, each] of fanout.entries()) {
    sum += each;
    index.writeUInt32BE(sum, headerBytes + 4 * first);
  }
  const end = index.length - 2 * oidBytes;
  index.set(packHash, end);
  const hash = new Bun.CryptoHasher("sha1").update(index.subarray(0, end + oidBytes)).digest();
  index.set(hash, end + oidBytes);
  writeFileSync(path, index, { mode: 0o600, flush: true });
}
