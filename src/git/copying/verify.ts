import { createReadStream, readFileSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createInflate, inflateSync } from "node:zlib";

/** Larger files are read in pieces. */
const wholeBytesMax = 4 * 1024 * 1024;
const hashBytes = 20;

/**
 * Checks a copied file by the hashes that git itself keeps: a loose object by its name, a pack and its index by their
 * trailers. A file without a hash is compared with its source. `path` is the one inside the repository. Throws.
 */
export async function verifyCopy(source: string, copy: string, path: string): Promise<void> {
  const loose = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(path);
  if (loose !== null) {
    if ((await hashOfObject(copy)) !== `${loose[1]}${loose[2]}`) throw damaged(path);
  } else if (/^objects\/pack\/[^/]+\.(pack|idx)$/.test(path)) {
    if (!(await isTrailerRight(copy))) throw damaged(path);
    if (path.endsWith(".idx")) await verifyIndex(source, copy, path);
  } else if ((await hashOfFile(source)) !== (await hashOfFile(copy))) {
    throw damaged(path);
  }
}

function damaged(path: string): Error {
  return new Error(`${path} is damaged`);
}

async function hashOfObject(file: string): Promise<string | undefined> {
  try {
    if (statSync(file).size <= wholeBytesMax) {
      return new Bun.CryptoHasher("sha1").update(inflateSync(readFileSync(file))).digest("hex");
    }
    const hash = new Bun.CryptoHasher("sha1");
    await pipeline(createReadStream(file), createInflate(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) hash.update(piece);
    });
    return hash.digest("hex");
  } catch (error) {
    // A file that zlib cannot read is no object; an error of the disk is thrown.
    if (error instanceof Error && "code" in error && /^(Z_|ERR_)/.test(String(error.code))) return undefined;
    throw error;
  }
}

/** Whether the last 20 bytes are the hash of all before them. */
async function isTrailerRight(file: string): Promise<boolean> {
  const size = statSync(file).size - hashBytes;
  if (size <= 0) return false;
  return (await hashOfFile(file, size)) === (await bytesOf(file, size, hashBytes)).toString("hex");
}

/** An index names the pack that it belongs to. */
async function verifyIndex(source: string, copy: string, path: string): Promise<void> {
  const pack = source.replace(/\.idx$/, ".pack");
  const wanted = await bytesOf(copy, statSync(copy).size - 2 * hashBytes, hashBytes);
  const found = await bytesOf(pack, statSync(pack).size - hashBytes, hashBytes);
  if (!wanted.equals(found)) throw damaged(path);
}

/** Returns the SHA-1 of a file in hexadecimal digits; of the first `bytes` when they are given. */
async function hashOfFile(file: string, bytes?: number): Promise<string> {
  const hash = new Bun.CryptoHasher("sha1");
  const end = bytes ?? statSync(file).size;
  if (end > 0) {
    for await (const piece of createReadStream(file, { end: end - 1 })) hash.update(piece as Buffer);
  }
  return hash.digest("hex");
}

async function bytesOf(file: string, from: number, length: number): Promise<Buffer> {
  return Buffer.from(
    await Bun.file(file)
      .slice(from, from + length)
      .arrayBuffer(),
  );
}
