/** The offsets of bytes, inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the byte range that a GET requests (RFC 9110, 14). Returns undefined for all bytes, which also answer several
 * ranges, other units, and a range of a version other than `tag`.
 */
export function rangeOf({ method, headers }: Request, size: number, tag?: string): ByteRange | "beyond" | undefined {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.get("range") ?? "") ?? [];
  const condition = headers.get("if-range");
  if (method !== "GET" || first + last === "" || (condition !== null && condition !== tag)) return undefined;
  const range =
    first === ""
      ? { first: Math.max(0, size - Number(last)), last: size - 1 }
      : { first: Number(first), last: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
  return range.first > range.last ? "beyond" : range;
}
