/** Objects that are files of their own. */

import { statSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { ifThere } from "../durable.ts";
import { BlobStream } from "./blob-stream.ts";
import type { FoundObject } from "./found.ts";
import { beginningBytes, inflateExactly, parseBeginning } from "./inflating.ts";
import { deflatedBytesMax, isObjectType, type ObjectType } from "./limits.ts";

const headerBytesMax = 30;
/** Files that are read whole at once: most of them are. */
const smallFileBytesMax = 16 << 10;

/** The object in the file at `path`; undefined when there is none. Throws for a file that is no object. */
export async function findLoose(path: string, oid: string): Promise<FoundObject | undefined> {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() !== true) return undefined;
  const fileBytes = file.size;
  const isSmall = fileBytes <= smallFileBytesMax;
  const head = await ifThere(isSmall ? readFile(path) : readHead(path));
  if (head === undefined) return undefined;
  const { type, size, contentStart } = headerOf(head, oid);
  return {
    ...{ oid, type, size, roomBytes: size, isDelta: false },
    async read() {
      if (fileBytes > deflatedBytesMax(contentStart + size)) throw damaged(oid);
      const whole = await inflateExactly(isSmall ? head : await readFile(path), contentStart + size);
      return whole.subarray(contentStart);
    },
    stream: () => BlobStream.open(path, { start: 0, contentStart, size }),
  };
}

/** The beginning of a loose object. */
export interface LooseHead {
  readonly type: ObjectType;
  readonly size: number;
  /** Bytes of the header. */
  readonly contentStart: number;
}

function headerOf(deflated: Uint8Array, oid: string): LooseHead {
  const header = parseBeginning(deflated, parseLooseHeader);
  if (header === undefined) throw damaged(oid);
  return header;
}

/** Reads `blob 123` and the zero byte after it. */
export function parseLooseHeader(unpacked: Buffer): LooseHead | undefined {
  const text = unpacked.toString("latin1", 0, headerBytesMax);
  const [header, type = "", size] = /^([a-z]+) (\d{1,15})\0/.exec(text) ?? [];
  return header === undefined || !isObjectType(type)
    ? undefined
    : { type, size: Number(size), contentStart: header.length };
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(beginningBytes), 0, beginningBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function damaged(oid: string): Error {
  return new Error(`the object ${oid} of a repository is damaged`);
}
