/** The text of a git configuration (git-config, "Syntax"), as far as it can be read. */

/** A value with the name of its section. */
export interface ConfigValue {
  /** In lower case. */
  readonly section: string;
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

const sectionPattern = /\[[ \t]*([a-zA-Z0-9-]+)(?:\.([a-zA-Z0-9.-]*)|[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y;
const keyPattern = /([a-zA-Z][a-zA-Z0-9-]*)[ \t]*/y;
const spacePattern = /(?:[#;][^\n]*\n|\s)+/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\\": "\\", '"': '"' };

/** Yields the values up to the first mistake in the text: git reads no further. */
export function* configValues(text: string): Generator<ConfigValue> {
  const reader = new ConfigReader(`${text.replaceAll("\r\n", "\n")}\n`);
  let section: { readonly section: string; readonly subsection: string | undefined } | undefined;
  while (reader.skipSpace()) {
    const head = reader.match(sectionPattern);
    if (head !== undefined) {
      const [, name = "", dotted, quoted] = head;
      section = {
        section: name.toLowerCase(),
        subsection: quoted === undefined ? dotted?.toLowerCase() : quoted.replace(/\\(.)/g, "$1"),
      };
      continue;
    }
    const key = reader.match(keyPattern)?.[1];
    if (key === undefined || section === undefined) return;
    const value = reader.value();
    if (value === undefined) return;
    yield { ...section, key: key.toLowerCase(), value };
  }
}

class ConfigReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** False at the end. */
  skipSpace(): boolean {
    this.match(spacePattern);
    return this.#at < this.#text.length;
  }

  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  /** Reads the value behind a key: the empty text where there is no `=`, undefined for a mistake. */
  value(): string | undefined {
    const first = this.#text[this.#at];
    if (first === undefined || first === "\n") return "";
    if (first !== "=") return undefined;
    let value = "";
    let spaces = "";
    let isQuoted = false;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] as string;
      if (character === "\n") break;
      if (!isQuoted && (character === " " || character === "\t")) {
        // Only what is between other characters belongs to the value.
        if (value !== "") spaces += character;
        continue;
      }
      if (!isQuoted && (character === "#" || character === ";")) {
        while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at += 1;
        break;
      }
      value += spaces;
      spaces = "";
      if (character === '"') isQuoted = !isQuoted;
      else if (character !== "\\") value += character;
      else {
        this.#at += 1;
        const escaped = this.#text[this.#at] ?? "";
        if (escaped !== "\n" && escapes[escaped] === undefined) return undefined;
        value += escapes[escaped] ?? "";
      }
    }
    return isQuoted ? undefined : value;
  }
}
