/** JSON that the store has as text, as `JSON.stringify` wrote it: a large answer copies it without parsing. */
export class StoredJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Parses the text, for an answer that is put together in one piece: it is small, so its texts are. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
