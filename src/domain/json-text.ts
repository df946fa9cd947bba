const comma = 44;
const openingBracket = 91;
const closingBracket = new Uint8Array([93]);

/** A value that is JSON already, in UTF-8: what was presented once need be turned into bytes only once. */
export class JsonText {
  /** With a comma before it, ready to be one of a list. */
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(value: unknown) {
    this.#bytes = Buffer.from(`,${JSON.stringify(value)}`);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(1);
  }

  /** `[a,b,c]`, put together by copying alone. */
  static list(items: readonly JsonText[]): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.concat([...items.map((item) => item.#bytes), closingBracket]);
    if (bytes[0] === comma) bytes[0] = openingBracket;
    return bytes;
  }
}

/** As `JSON.stringify`, of a value, of what is JSON already, or of a list of that. */
export function toJson(value: unknown): string | Uint8Array<ArrayBuffer> {
  if (value instanceof JsonText) return value.bytes;
  return Array.isArray(value) && value[0] instanceof JsonText ? JsonText.list(value) : JSON.stringify(value);
}
