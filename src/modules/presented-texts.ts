import { JsonText } from "../domain/json-text.ts";

interface Entry {
  readonly text: JsonText;
  readonly dependency: object | undefined;
}

/** Some thousand texts, a few megabytes; when there are more, all are forgotten. */
const textsMax = 8_192;

/**
 * Documents as they were presented last, as JSON. Documents are replaced and never changed, so a text holds as long as
 * its document does. For small entries of lists that are read again and again.
 */
export class PresentedTexts<T extends object> {
  #baseUrl = "";
  #entries = new WeakMap<T, Entry>();
  #count = 0;

  /** `dependency`: another document that shows in the text. Texts of one base URL are kept at a time. */
  textOf(document: T, baseUrl: string, dependency: object | undefined, present: () => unknown): JsonText {
    const known = this.#baseUrl === baseUrl ? this.#entries.get(document) : undefined;
    if (known !== undefined && known.dependency === dependency) return known.text;
    if (this.#baseUrl !== baseUrl || this.#count >= textsMax) {
      this.#baseUrl = baseUrl;
      this.#entries = new WeakMap();
      this.#count = 0;
    }
    const text = new JsonText(present());
    this.#entries.set(document, { text, dependency });
    this.#count += 1;
    return text;
  }
}
