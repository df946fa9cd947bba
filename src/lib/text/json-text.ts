/** JSON in UTF-8, for caches. It is encoded and hashed only once. */
export class JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #hash: string | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  static of(value: unknown): JsonText {
    return new JsonText(Buffer.from(JSON.stringify(value)));
  }

  /** Parses the JSON. */
  parse(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }

  /** The hash of the bytes. */
  get hash(): string {
    this.#hash ??= Bun.hash(this.bytes).toString(16);
    return this.#hash;
  }
}
