import { expect, test } from "bun:test";
import { PackPieces } from "../../../../src/git/packing/pack-pieces.ts";
import { bandBytesMax, readPackets } from "../../../../src/git/transport/pkt-line.ts";
import { createRandom } from "../../../support/checks/random.ts";

/** Writes bytes in parts of random sizes; returns the pieces that come out. */
function gather(bandBytes: number, bytes: Uint8Array, partBytesMax: number): Uint8Array[] {
  const random = createRandom();
  const pieces = new PackPieces(bandBytes);
  const taken: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const part = bytes.subarray(at, at + random.integer(1, partBytesMax));
    pieces.write(part);
    at += part.length;
    for (let piece = pieces.take(); piece !== undefined; piece = pieces.take()) taken.push(piece);
  }
  return [...taken, pieces.rest()];
}

const sizes = [0, 1, 994, 995, 996, 65_515, 65_516, 262_080, 262_144, 1_000_000];

test.each(sizes)("%i bytes come back from lines of a side band, and without lines", async (size) => {
  const bytes = crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536)));
  const all = Buffer.concat(Array.from({ length: Math.ceil(size / 65_536) }, () => bytes)).subarray(0, size);
  for (const partBytesMax of [40, 3_000, 400_000]) {
    expect(Buffer.concat(gather(0, all, partBytesMax)).equals(all)).toBe(true);
    for (const bandBytes of [995, bandBytesMax]) {
      const pieces = gather(bandBytes, all, partBytesMax);
      // Each piece is whole lines.
      const packets = (await Promise.all(pieces.map(readPackets))).flat() as Buffer[];
      expect(packets.every((packet) => packet[0] === 1 && packet.length <= bandBytes + 1)).toBe(true);
      expect(packets).toHaveLength(Math.ceil(size / bandBytes));
      expect(Buffer.concat(packets.map((packet) => packet.subarray(1))).equals(all)).toBe(true);
    }
  }
});

test("a piece has memory of its own", () => {
  const pieces = gather(bandBytesMax, Buffer.alloc(1_000_000), 70_000);
  const full = pieces.slice(0, -1);
  expect(full.length).toBeGreaterThan(2);
  expect(full.every((piece) => piece.buffer.byteLength === piece.length)).toBe(true);
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
});
