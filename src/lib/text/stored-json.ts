/** JSON that the store has as text. A large answer copies it without parsing. */
export class StoredJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Parses the text, for a small answer that is serialised as a whole. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
