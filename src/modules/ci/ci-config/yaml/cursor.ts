/** A position in the text of a YAML document, and errors at one. */

import { CiFileError } from "../values.ts";

const [tab, lineFeed, space, dash, dot] = [9, 10, 32, 45, 46];

/** Whether a character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** Whether a character ends a line. */
export function isBreak(code: number): boolean {
  return code === lineFeed;
}

/** Whether a character ends a word: blank, the end of a line, or (NaN) of the text. */
export function isBlankOrEnd(code: number): boolean {
  return code === space || code === lineFeed || code === tab || Number.isNaN(code);
}

/** A place in a document, for error messages. */
export interface Mark {
  readonly line: number;
  readonly column: number;
}

/** Moves through a document whose line breaks are line feeds. */
export class Cursor {
  readonly text: string;
  at = 0;
  line: number;
  #lineStart = 0;

  /** @param line the number of lines of the file before the document */
  constructor(text: string, line: number) {
    this.text = text;
    this.line = line;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  get mark(): Mark {
    return { line: this.line, column: this.column };
  }

  /** The code of a character from here; NaN behind the end. */
  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Goes behind the line feed at which it is. */
  passBreak(): void {
    this.at += 1;
    this.line += 1;
    this.#lineStart = this.at;
  }

  passBlanks(): void {
    while (isBlank(this.code())) this.at += 1;
  }

  /** Goes to the end of the line, and returns what is before that. */
  restOfLine(): string {
    const found = this.text.indexOf("\n", this.at);
    const rest = this.text.slice(this.at, found === -1 ? undefined : found);
    this.at += rest.length;
    return rest;
  }

  /** Whether `---` or `...` is here, at the beginning of a line. */
  isAtDocumentMark(): boolean {
    const code = this.code();
    if (this.column !== 0 || (code !== dash && code !== dot)) return false;
    return code === this.code(1) && code === this.code(2) && isBlankOrEnd(this.code(3));
  }
}

/** An error in the words of libyaml, which authors of CI files search for. */
export function syntaxError({ line, column }: Mark, problem: string, context?: string): CiFileError {
  const said = context === undefined ? problem : `${problem} ${context}`;
  return new CiFileError(`(<unknown>): ${said} at line ${line + 1} column ${column + 1}`);
}
