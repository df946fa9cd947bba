/** The YAML tag `!reference`: found in the text before it is parsed, and resolved after that. */

import type { Budget } from "../budget.ts";
import { CiFileError, Reference, textsOf } from "../values.ts";

const tag = "!reference";
/** Its characters are gone through one by one, which takes twenty times as long as parsing. */
const lengthMax = 128 * 1024;
/** The library's lexer makes a token of each word. */
const stepsPerCharacter = 3;

/** A file whose references can be distinguished from other lists after parsing. */
interface Marked {
  readonly text: string;
  /** The first entry of each list that is a reference. */
  readonly mark: string;
}

/**
 * The parser drops tags. So each list behind a `!reference` gets a first entry that the file has nowhere else. undefined for
 * a file without the tag. Throws `CiFileError`.
 */
export function markReferences(text: string, budget: Budget): Marked | undefined {
  if (!text.includes(tag)) return undefined;
  if (text.length > lengthMax) {
    throw new CiFileError(`A file with ${tag} is too long (maximum is ${lengthMax} characters)`);
  }
  budget.charge(text.length * stepsPerCharacter);
  const mark = markFor(text);
  let marked = "";
  let end = 0;
  for (const offset of listsBehindTags(text)) {
    const isBlock = text[offset] === "-";
    const column = offset - 1 - text.lastIndexOf("\n", offset);
    marked += text.slice(end, offset) + (isBlock ? `- ${mark}\n${" ".repeat(column)}` : `[${mark}, `);
    end = isBlock ? offset : offset + 1;
  }
  return { text: marked + text.slice(end), mark };
}

/** Returns a run of characters that is longer than every such run in the file. */
function markFor(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/\u{E000}+/gu)].map(([run]) => run.length));
  return "\u{E000}".repeat(longest + 1);
}

/** Yields the offset of each tagged list: `[`, or the first `-` on a line below. Throws `CiFileError` for no list. */
function* listsBehindTags(text: string): Generator<number> {
  let isTagged = false;
  let isOnLine = false;
  for (const { lexeme, offset, isText } of lexemesOf(text)) {
    if (!isText && lexeme === tag) {
      if (isTagged) throw new CiFileError(noList);
      [isTagged, isOnLine] = [true, true];
    } else if (isTagged && (isText || !isBetween.test(lexeme))) {
      if (isText || (lexeme !== "[" && (lexeme !== "-" || isOnLine))) throw new CiFileError(noList);
      yield offset;
      isTagged = false;
    }
    if (lexeme.includes("\n")) isOnLine = false;
  }
  if (isTagged) throw new CiFileError(noList);
}

const noList = `${tag} config should be an array`;
/** Space, the end of a line, a comment, an anchor. */
const isBetween = /^[\s#&]/;

interface Lexeme {
  readonly lexeme: string;
  readonly offset: number;
  readonly isText: boolean;
}

const textFollows = "\u001f";
/** Signals of the lexer between the parts of the file: a document begins, a list was not closed. */
const signals = ["\u0002", "\u0018", textFollows];

function* lexemesOf(text: string): Generator<Lexeme> {
  // Few files have the tag, so the library is loaded by the first that has.
  const { Lexer } = require("yaml") as typeof import("yaml");
  let offset = 0;
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isText && signals.includes(lexeme)) {
      isText = lexeme === textFollows;
      continue;
    }
    yield { lexeme, offset, isText };
    offset += lexeme.length;
    isText = false;
  }
}

/** Puts a `Reference` in place of each marked list of a parsed file. A value that aliases share is visited once. */
export function withReferences(file: unknown, mark: string): unknown {
  const seen = new Map<object, unknown>();
  const restore = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const made = restored(value);
    seen.set(value, made);
    return made;
  };
  const restored = (value: object): unknown => {
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, restore(inner)]));
    }
    if (value[0] !== mark) return value.map(restore);
    return new Reference(textsOf(value.slice(1), tag));
  };
  return restore(file);
}
