/** Places of bytes, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The range of the bytes that a GET asks for (RFC 9110, 14): undefined for the whole, which is also the answer to several
 * parts at once, to other units, and to a part of another version than the `tag` says.
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
