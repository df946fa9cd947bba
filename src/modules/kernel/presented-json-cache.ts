import { JsonText } from "../../lib/text/json-text.ts";
import type { StoredDocument } from "../../store/index.ts";
import type { View } from "./view.ts";

interface Entry<T> {
  readonly document: T;
  readonly dependency: object | undefined;
  readonly text: JsonText;
}

/** Some thousand texts, a few megabytes; when there are more, all are forgotten. */
const textsMax = 8_192;

/**
 * Documents as they were presented last, as JSON. Documents are replaced and never changed, so a text holds as long as
 * its document does. For small entries of lists that are read again and again.
 */
export class PresentedJsonCache<T extends StoredDocument> {
  readonly #present: (document: T, view: Pick<View, "baseUrl">) => unknown;
  readonly #entries = new Map<number, Entry<T>>();
  #baseUrl = "";

  constructor(present: (document: T, view: Pick<View, "baseUrl">) => unknown) {
    this.#present = present;
  }

  /** `dependency`: another document that shows in the text. The cache has texts of one base URL at a time. */
  textOf(document: T, view: Pick<View, "baseUrl">, dependency?: object): JsonText {
    const { baseUrl } = view;
    const known = this.#entries.get(document.id);
    if (
      known !== undefined &&
      known.document === document &&
      known.dependency === dependency &&
      this.#baseUrl === baseUrl
    ) {
      return known.text;
    }
    if (this.#baseUrl !== baseUrl || this.#entries.size >= textsMax) {
      this.#baseUrl = baseUrl;
      this.#entries.clear();
    }
    const text = JsonText.of(this.#present(document, view));
    this.#entries.set(document.id, { document, dependency, text });
    return text;
  }
}
