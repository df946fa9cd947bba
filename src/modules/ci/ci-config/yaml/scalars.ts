/** The scalars of YAML: plain, in quotes, and blocks of lines. */

import { type Cursor, isBlank, isBlankOrEnd, isBreak, type Mark, syntaxError } from "./cursor.ts";

const [tab, space, doubleQuote, hash, quote, colon, backslash] = [9, 32, 34, 35, 39, 58, 92];
const flowMarks = new Set([...",[]{}"].map((mark) => mark.charCodeAt(0)));
const marksAfterColon = new Set([...flowMarks, "?".charCodeAt(0)]);

/** The blanks and line breaks between two pieces of a scalar. */
class Gap {
  readonly #isEscaped: boolean;
  #blanks = "";
  #breaks = 0;

  /** @param isEscaped a line break before it was escaped, and stands for nothing */
  constructor(isEscaped = false) {
    this.#isEscaped = isEscaped;
  }

  get hasBreak(): boolean {
    return this.#isEscaped || this.#breaks > 0;
  }

  /** Goes through the gap. `onIndent` may refuse a blank at the beginning of a line. */
  pass(cursor: Cursor, onIndent?: (code: number) => void): this {
    for (let code = cursor.code(); isBlank(code) || isBreak(code); code = cursor.code()) {
      if (isBreak(code)) {
        this.#breaks += 1;
        cursor.passBreak();
        continue;
      }
      if (this.hasBreak) onIndent?.(code);
      else this.#blanks += String.fromCharCode(code);
      cursor.at += 1;
    }
    return this;
  }

  /** The text that the gap stands for. */
  get text(): string {
    if (this.#isEscaped) return "\n".repeat(this.#breaks);
    if (this.#breaks === 0) return this.#blanks;
    return this.#breaks === 1 ? " " : "\n".repeat(this.#breaks - 1);
  }
}

const plainContext = "while scanning a plain scalar";

interface PlainScalar {
  readonly value: string;
  /** Whether the lines behind it were passed, too. */
  readonly endsLine: boolean;
}

/** @param indent columns that its further lines are indented by at least */
export function scanPlain(cursor: Cursor, indent: number, isInFlow: boolean): PlainScalar {
  const start = cursor.mark;
  let value = "";
  for (let gap = new Gap(); ; ) {
    if (cursor.isAtDocumentMark() || cursor.code() === hash) return { value, endsLine: gap.hasBreak };
    const line = scanPlainLine(cursor, isInFlow, start);
    if (line === "") return { value, endsLine: gap.hasBreak };
    value += gap.text + line;
    if (!isBreak(cursor.code())) return { value, endsLine: false };
    gap = new Gap().pass(cursor, (code) => {
      if (code === tab && cursor.column < indent) {
        throw syntaxError(start, "found a tab character that violates indentation", plainContext);
      }
    });
    if (!isInFlow && cursor.column < indent) return { value, endsLine: true };
  }
}

/** Goes to the end of what one line has of a plain scalar, and returns it without the blanks behind it. */
function scanPlainLine(cursor: Cursor, isInFlow: boolean, start: Mark): string {
  const { text, at: from } = cursor;
  let [at, end] = [from, from];
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) {
      if (text.charCodeAt(at + 1) === hash) {
        at += 1;
        break;
      }
      continue;
    }
    if (isBreak(code) || Number.isNaN(code) || (isInFlow && flowMarks.has(code))) break;
    if (code === colon) {
      const next = text.charCodeAt(at + 1);
      if (isBlankOrEnd(next)) break;
      if (isInFlow && marksAfterColon.has(next)) {
        throw syntaxError(start, "found unexpected ':'", plainContext);
      }
    }
    end = at + 1;
  }
  cursor.at = at;
  return text.slice(from, end);
}

const quotedContext = "while scanning a quoted scalar";

/** A scalar in quotes; the cursor is at the first. */
export function scanQuoted(cursor: Cursor): string {
  const start = cursor.mark;
  const mark = cursor.code();
  cursor.at += 1;
  let value = "";
  for (;;) {
    if (cursor.isAtDocumentMark()) throw syntaxError(start, "found unexpected document indicator", quotedContext);
    if (cursor.isAtEnd) throw syntaxError(start, "found unexpected end of stream", quotedContext);
    const piece = mark === quote ? singlePiece(cursor) : doublePiece(cursor, start);
    value += piece.text;
    if (cursor.code() === mark) {
      cursor.at += 1;
      return value;
    }
    value += new Gap(piece.escapesBreak).pass(cursor).text;
  }
}

interface QuotedPiece {
  readonly text: string;
  readonly escapesBreak: boolean;
}

function singlePiece(cursor: Cursor): QuotedPiece {
  let text = "";
  for (let from = cursor.at; ; cursor.at += 1) {
    const code = cursor.code();
    if (code === quote && cursor.code(1) === quote) {
      text += cursor.text.slice(from, cursor.at + 1);
      from = cursor.at + 2;
      cursor.at += 1;
    } else if (code === quote || isBlankOrEnd(code)) {
      return { text: text + cursor.text.slice(from, cursor.at), escapesBreak: false };
    }
  }
}

function doublePiece(cursor: Cursor, start: Mark): QuotedPiece {
  let text = "";
  for (let from = cursor.at; ; ) {
    const code = cursor.code();
    if (code === backslash) {
      text += cursor.text.slice(from, cursor.at);
      if (isBreak(cursor.code(1))) {
        cursor.at += 1;
        cursor.passBreak();
        return { text, escapesBreak: true };
      }
      text += scanEscape(cursor, start);
      from = cursor.at;
    } else if (code === doubleQuote || isBlankOrEnd(code)) {
      return { text: text + cursor.text.slice(from, cursor.at), escapesBreak: false };
    } else {
      cursor.at += 1;
    }
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " " },
  ...{ '"': '"', "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029" },
};
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const codePointMax = 0x10ffff;

function scanEscape(cursor: Cursor, start: Mark): string {
  const context = "while parsing a quoted scalar";
  const letter = cursor.text.charAt(cursor.at + 1);
  cursor.at += 2;
  if (Object.hasOwn(escapes, letter)) return escapes[letter] as string;
  const length = Object.hasOwn(hexDigits, letter) ? (hexDigits[letter] as number) : undefined;
  if (length === undefined) throw syntaxError(start, "found unknown escape character", context);
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (!/^[0-9a-f]+$/i.test(digits) || digits.length < length) {
    throw syntaxError(start, "did not find expected hexdecimal number", context);
  }
  const point = Number.parseInt(digits, 16);
  if (point > codePointMax || (point >= 0xd800 && point <= 0xdfff)) {
    throw syntaxError(start, "found invalid Unicode character escape code", context);
  }
  cursor.at += length;
  return String.fromCodePoint(point);
}

const blockContext = "while scanning a block scalar";
const blockHeader = /[|>](?:([+-])([0-9])?|([0-9])([+-])?)?/y;

/** A block scalar; the cursor is at its `|` or `>`. `indent` is that of the node around it. */
export function scanBlock(cursor: Cursor, indent: number): string {
  const start = cursor.mark;
  const isFolded = cursor.text[cursor.at] === ">";
  blockHeader.lastIndex = cursor.at;
  const [header = "", chompFirst, increment = "", incrementFirst = increment, chomp = chompFirst] =
    blockHeader.exec(cursor.text) ?? [];
  if (incrementFirst === "0") {
    throw syntaxError(start, "found an indentation indicator equal to 0", blockContext);
  }
  cursor.at += header.length;
  cursor.passBlanks();
  if (cursor.code() === hash) cursor.restOfLine();
  if (!cursor.isAtEnd) {
    if (!isBreak(cursor.code())) throw syntaxError(start, "did not find expected comment or line break", blockContext);
    cursor.passBreak();
  }
  const given = incrementFirst === "" ? undefined : Math.max(indent, 0) + Number(incrementFirst);
  return blockText(cursor, { isFolded, chomp, start, indent: given, least: Math.max(indent + 1, 1) });
}

interface BlockStyle {
  readonly isFolded: boolean;
  readonly chomp: string | undefined;
  readonly start: Mark;
  /** undefined: that of its first line with text. */
  readonly indent: number | undefined;
  readonly least: number;
}

function blockText(cursor: Cursor, { isFolded, chomp, start, indent: given, least }: BlockStyle): string {
  let empty = 0;
  let widest = 0;
  /** Goes to the next line with text, and counts the empty ones before it. */
  const passEmptyLines = (indent: number | undefined) => {
    for (empty = 0; ; empty += 1) {
      while ((indent === undefined || cursor.column < indent) && cursor.code() === space) cursor.at += 1;
      widest = Math.max(widest, cursor.column);
      if ((indent === undefined || cursor.column < indent) && cursor.code() === tab) {
        throw syntaxError(start, "found a tab character where an indentation space is expected", blockContext);
      }
      if (!isBreak(cursor.code())) return;
      cursor.passBreak();
    }
  };
  passEmptyLines(given);
  const indent = given ?? Math.max(widest, least);
  const pieces: string[] = [];
  let lineBreak = "";
  let wasBlank = false;
  while (cursor.column === indent && !cursor.isAtEnd) {
    const startsBlank = isBlank(cursor.code());
    const folds = isFolded && lineBreak !== "" && !wasBlank && !startsBlank;
    if (!folds) pieces.push(lineBreak);
    else if (empty === 0) pieces.push(" ");
    pieces.push("\n".repeat(empty), cursor.restOfLine());
    wasBlank = startsBlank;
    lineBreak = "";
    empty = 0;
    if (cursor.isAtEnd) break;
    lineBreak = "\n";
    cursor.passBreak();
    passEmptyLines(indent);
  }
  if (chomp !== "-") pieces.push(lineBreak);
  if (chomp === "+") pieces.push("\n".repeat(empty));
  return pieces.join("");
}
