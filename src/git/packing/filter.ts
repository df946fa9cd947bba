import type { ObjectType } from "../objects/limits.ts";

/** The objects that a partial clone wants (`--filter`); those that it asks for by their ids are always sent. */
export interface ObjectFilter {
  /** Bytes that a file may have, at most. */
  readonly blobBytesMax: number;
  /** Trees and files so many levels below a commit are left out; 0: all of them. */
  readonly depthMax: number;
  readonly type: ObjectType | undefined;
}

const everything: ObjectFilter = {
  blobBytesMax: Number.POSITIVE_INFINITY,
  depthMax: Number.POSITIVE_INFINITY,
  type: undefined,
};

const units: Readonly<Record<string, number>> = { "": 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };
const combinedMax = 8;

/** undefined for a filter that is not known. */
export function parseFilter(spec: string): ObjectFilter | undefined {
  if (spec === "blob:none") return { ...everything, blobBytesMax: -1 };
  const [, number, unit] = /^blob:limit=(\d{1,12})([kmg]?)$/i.exec(spec) ?? [];
  // A file of exactly the limit is left out, too.
  if (number !== undefined)
    return { ...everything, blobBytesMax: Number(number) * (units[(unit ?? "").toLowerCase()] ?? 1) - 1 };
  const [, depth] = /^tree:(\d{1,9})$/.exec(spec) ?? [];
  if (depth !== undefined) return { ...everything, depthMax: Number(depth) };
  const [, type] = /^object:type=(commit|tree|blob|tag)$/.exec(spec) ?? [];
  if (type !== undefined) return { ...everything, type: type as ObjectType };
  return spec.startsWith("combine:") ? combine(spec.slice("combine:".length)) : undefined;
}

function combine(specs: string): ObjectFilter | undefined {
  const parts = specs.split("+");
  if (parts.length > combinedMax) return undefined;
  let all = everything;
  for (const part of parts) {
    const filter = parseFilter(decodeOrEmpty(part));
    if (filter === undefined) return undefined;
    if (filter.type !== undefined && all.type !== undefined && filter.type !== all.type) return undefined;
    all = {
      blobBytesMax: Math.min(all.blobBytesMax, filter.blobBytesMax),
      depthMax: Math.min(all.depthMax, filter.depthMax),
      type: filter.type ?? all.type,
    };
  }
  return all;
}

function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
