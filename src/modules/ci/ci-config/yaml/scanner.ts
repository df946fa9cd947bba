/** The tokens of a YAML document, by the rules of libyaml, which reads CI files on the real platform. */

import { Cursor, isBlankOrEnd, isBreak, type Mark, syntaxError } from "./cursor.ts";
import { PossibleKeys } from "./possible-keys.ts";
import { scanBlock, scanPlain, scanQuoted } from "./scalars.ts";
import type { Token } from "./token.ts";

const [tab, space, hash, percent, comma, dash, colon, question] = [9, 32, 35, 37, 44, 45, 58, 63];
const byteOrderMark = 0xfeff;
/** Characters that no plain scalar begins with. */
const notPlain = codesOf("-?:,[]{}#&*!|>'\"%@`\t");
const anchorName = /[\w-]*/y;
const anchorEnds = codesOf("?:,]}%@`");
const flowOpenings: Readonly<Record<string, Token["kind"]>> = { "[": "flow-sequence", "{": "flow-mapping" };
const flowEndings: Readonly<Record<string, Token["kind"]>> = { "]": "flow-end-sequence", "}": "flow-end-mapping" };
const tagText = /!(?:<[^>\s]*>|[\w;/?:@&=+$.~*'()%#!-]*)/y;

export class Scanner {
  readonly #cursor: Cursor;
  #tokens: Token[] = [];
  #head = 0;
  /** The head of the queue, once it is sure that no token comes before it. */
  #next: Token | undefined;
  /** Tokens before the head of the queue, ever. */
  #taken = 0;
  #isDone = false;
  /** The columns of the open blocks. */
  readonly #indents: number[] = [];
  #indent = -1;
  #mayStartKey = true;
  readonly #keys = new PossibleKeys();

  /** @param line the number of lines of the file before `text` */
  constructor(text: string, line: number) {
    this.#cursor = new Cursor(text, line);
  }

  /** The next token, which stays. Throws `CiFileError`. */
  peek(): Token {
    if (this.#next !== undefined) return this.#next;
    while (this.#needsMore()) this.#scan();
    this.#next = this.#tokens[this.#head] as Token;
    return this.#next;
  }

  /** The next token. Throws `CiFileError`. */
  next(): Token {
    const token = this.peek();
    this.#next = undefined;
    this.#head += 1;
    this.#taken += 1;
    if (this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
    return token;
  }

  /** A token may turn out to be behind the beginning of a mapping as long as it may be a key. */
  #needsMore(): boolean {
    if (this.#isDone) return false;
    if (this.#head === this.#tokens.length) return true;
    this.#keys.forgetStale(this.#cursor);
    return this.#keys.has(this.#taken);
  }

  get #isInFlow(): boolean {
    return this.#keys.isInFlow;
  }

  #scan(): void {
    const cursor = this.#cursor;
    this.#passToToken();
    this.#keys.forgetStale(cursor);
    this.#closeBlocks(cursor.column);
    const code = cursor.code();
    const isFollowedByBlank = isBlankOrEnd(cursor.code(1));
    if (cursor.isAtEnd) this.#scanEnd();
    else if (cursor.column === 0 && code === percent) this.#scanDirective();
    else if (cursor.isAtDocumentMark()) this.#scanDocumentMark(code === dash);
    else if (code === dash && isFollowedByBlank) this.#scanEntry();
    else if (code === question && (this.#isInFlow || isFollowedByBlank)) this.#scanKey();
    else if (code === colon && (this.#isInFlow || isFollowedByBlank)) this.#scanValue();
    else if (!notPlain.has(code) || (!isFollowedByBlank && this.#beginsPlain(code))) this.#scanPlainScalar();
    else this.#scanMarked(cursor.text.charAt(cursor.at));
  }

  #beginsPlain(code: number): boolean {
    return code === dash || (!this.#isInFlow && (code === question || code === colon));
  }

  /** A token that begins with a mark. */
  #scanMarked(mark: string): void {
    if (Object.hasOwn(flowOpenings, mark)) this.#openFlow(flowOpenings[mark] as Token["kind"]);
    else if (Object.hasOwn(flowEndings, mark)) this.#closeFlow(flowEndings[mark] as Token["kind"]);
    else if (mark === ",") this.#scanFlowEntry();
    else if (mark === "*") this.#scanName("alias");
    else if (mark === "&") this.#scanName("anchor");
    else if (mark === "!") this.#scanTag();
    else if (mark === '"' || mark === "'") this.#scanQuotedScalar();
    else if ((mark === "|" || mark === ">") && !this.#isInFlow) this.#scanBlockScalar();
    else {
      const context = "while scanning for the next token";
      throw syntaxError(this.#cursor.mark, "found character that cannot start any token", context);
    }
  }

  #passToToken(): void {
    const cursor = this.#cursor;
    if (cursor.at === 0 && cursor.code() === byteOrderMark) cursor.at += 1;
    for (;;) {
      const passesTabs = this.#isInFlow || !this.#mayStartKey;
      while (cursor.code() === space || (passesTabs && cursor.code() === tab)) cursor.at += 1;
      if (cursor.code() === hash) cursor.restOfLine();
      if (!isBreak(cursor.code())) return;
      cursor.passBreak();
      if (!this.#isInFlow) this.#mayStartKey = true;
    }
  }

  #push(kind: Token["kind"], mark = this.#cursor.mark, text = "", isPlain = false): void {
    this.#tokens.push({ kind, mark, text, isPlain });
  }

  #insert(kind: Token["kind"], mark: Mark, number: number): void {
    this.#tokens.splice(this.#head + number - this.#taken, 0, { kind, mark, text: "", isPlain: false });
  }

  /** A token of one character. */
  #passMark(kind: Token["kind"]): void {
    this.#push(kind);
    this.#cursor.at += 1;
  }

  #scanEnd(): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#mayStartKey = false;
    this.#push("end");
    this.#isDone = true;
  }

  #scanDirective(): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#mayStartKey = false;
    const { mark } = this.#cursor;
    this.#push("directive", mark, this.#cursor.restOfLine());
  }

  #scanDocumentMark(isStart: boolean): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#mayStartKey = false;
    this.#push(isStart ? "document-start" : "document-end");
    this.#cursor.at += 3;
  }

  #openFlow(kind: Token["kind"]): void {
    this.#rememberKey();
    this.#keys.openFlow();
    this.#mayStartKey = true;
    this.#passMark(kind);
  }

  #closeFlow(kind: Token["kind"]): void {
    this.#keys.forget();
    this.#keys.closeFlow();
    this.#mayStartKey = false;
    this.#passMark(kind);
  }

  #scanFlowEntry(): void {
    this.#keys.forget();
    this.#mayStartKey = true;
    this.#passMark("flow-entry");
  }

  #scanEntry(): void {
    if (!this.#isInFlow) {
      this.#requireKeyAllowed("block sequence entries are not allowed in this context");
      this.#openBlock("block-sequence");
    }
    this.#keys.forget();
    this.#mayStartKey = true;
    this.#passMark("block-entry");
  }

  #scanKey(): void {
    if (!this.#isInFlow) {
      this.#requireKeyAllowed("mapping keys are not allowed in this context");
      this.#openBlock("block-mapping");
    }
    this.#keys.forget();
    this.#mayStartKey = !this.#isInFlow;
    this.#passMark("key");
  }

  #scanValue(): void {
    const key = this.#keys.take();
    if (key !== undefined) {
      this.#insert("key", key.mark, key.number);
      this.#openBlock("block-mapping", key.mark, key.number);
      this.#mayStartKey = false;
    } else {
      if (!this.#isInFlow) {
        this.#requireKeyAllowed("mapping values are not allowed in this context");
        this.#openBlock("block-mapping");
      }
      this.#mayStartKey = !this.#isInFlow;
    }
    this.#passMark("value");
  }

  #scanName(kind: "alias" | "anchor"): void {
    const cursor = this.#cursor;
    this.#rememberKey();
    this.#mayStartKey = false;
    const { mark } = cursor;
    anchorName.lastIndex = cursor.at + 1;
    const name = anchorName.exec(cursor.text)?.[0] ?? "";
    cursor.at += 1 + name.length;
    const isEnd = isBlankOrEnd(cursor.code()) || anchorEnds.has(cursor.code());
    if (name === "" || !isEnd) {
      throw syntaxError(mark, "did not find expected alphabetic or numeric character", `while scanning an ${kind}`);
    }
    this.#push(kind, mark, name);
  }

  #scanTag(): void {
    const cursor = this.#cursor;
    this.#rememberKey();
    this.#mayStartKey = false;
    const { mark } = cursor;
    tagText.lastIndex = cursor.at;
    const tag = tagText.exec(cursor.text)?.[0] ?? "!";
    cursor.at += tag.length;
    const isEnd = isBlankOrEnd(cursor.code()) || (this.#isInFlow && cursor.code() === comma);
    if (!isEnd) throw syntaxError(mark, "did not find expected whitespace or line break", "while scanning a tag");
    this.#push("tag", mark, tag);
  }

  #scanQuotedScalar(): void {
    this.#rememberKey();
    this.#mayStartKey = false;
    const { mark } = this.#cursor;
    this.#push("scalar", mark, scanQuoted(this.#cursor));
  }

  #scanBlockScalar(): void {
    this.#keys.forget();
    this.#mayStartKey = true;
    const { mark } = this.#cursor;
    this.#push("scalar", mark, scanBlock(this.#cursor, this.#indent));
  }

  #scanPlainScalar(): void {
    this.#rememberKey();
    const { mark } = this.#cursor;
    const { value, endsLine } = scanPlain(this.#cursor, this.#indent + 1, this.#isInFlow);
    this.#mayStartKey = endsLine;
    this.#push("scalar", mark, value, true);
  }

  #requireKeyAllowed(problem: string): void {
    if (!this.#mayStartKey) throw syntaxError(this.#cursor.mark, problem);
  }

  /** A block that is further right than the one around it begins here, or at the token of a number. */
  #openBlock(kind: Token["kind"], mark = this.#cursor.mark, number?: number): void {
    if (this.#isInFlow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (number === undefined) this.#push(kind, mark);
    else this.#insert(kind, mark, number);
  }

  #closeBlocks(column: number): void {
    if (this.#isInFlow) return;
    while (this.#indent > column) {
      this.#push("block-end");
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #rememberKey(): void {
    if (!this.#mayStartKey) return;
    const { mark, at } = this.#cursor;
    const isRequired = !this.#isInFlow && this.#indent === mark.column;
    const number = this.#taken + this.#tokens.length - this.#head;
    this.#keys.remember({ number, at, mark, isRequired });
  }
}

function codesOf(marks: string): ReadonlySet<number> {
  return new Set([...marks].map((mark) => mark.charCodeAt(0)));
}
