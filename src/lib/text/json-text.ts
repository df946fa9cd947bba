/** JSON in UTF-8, for caches: a text is turned into bytes, and hashed, only once. */
export class JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #hash: string | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  static of(value: unknown): JsonText {
    return new JsonText(Buffer.from(JSON.stringify(value)));
  }

  /** The value that it is the text of. */
  parse(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }

  /** The same for the same bytes. */
  get hash(): string {
    this.#hash ??= Bun.hash(this.bytes).toString(16);
    return this.#hash;
  }
}
