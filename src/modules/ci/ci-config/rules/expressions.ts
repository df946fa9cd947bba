/** The evaluation of `if:` expressions. */

import { CiFileError } from "../values.ts";
import { invalidSyntax, type Pattern, type Patterns, readPattern } from "./patterns.ts";

/** Variables by name. */
export type Variables = Pick<ReadonlyMap<string, string>, "get">;

/** undefined is an unset variable and `null`; a boolean is what a comparison gave, or `true` or `false` in the file. */
type Value = string | boolean | Pattern | undefined;

const tokenPattern =
  /\s*(?:\$(\w+)|"([^"\n]*)"|'([^'\n]*)'|\/((?:\\.|[^/\\])+)\/([imsU]*)|(==|!=|=~|!~|&&|\|\||\(|\)|!)|(null)|\$\[\[\s*(inputs\.[\w-]+)\s*\]\]|\b(true|false)\b)/y;

type Token =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "operator"; readonly text: string };

const lengthMax = 10_000;
const tokensMax = 99;
/** Parentheses in parentheses. */
const depthMax = 100;
/** Characters of an expression, and of two texts that are compared, that are read in one step. */
const readPerStep = 4;
const comparedPerStep = 10_000;

/** Whether a `rules:if` holds: `$A == "x" && ($B =~ /y/ || $C)`. Throws `CiFileError` for what is no expression. */
export function evaluateExpression(expression: string, variables: Variables, patterns: Patterns): boolean {
  patterns.charge(expression.length / readPerStep);
  const tokens = tokensOf(expression);
  for (const token of tokens) if (token.kind === "value" && isPattern(token.value)) patterns.check(token.value);
  const reader = new Reader(tokens, variables, patterns);
  const value = reader.disjunction();
  if (!reader.isAtEnd) throw new CiFileError(invalidSyntax);
  return isPresent(value);
}

function tokensOf(expression: string): Token[] {
  if (expression.length > lengthMax) throw new CiFileError(invalidSyntax);
  const text = expression.trim();
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) throw new CiFileError(invalidSyntax);
    tokens.push(tokenOf(match));
    if (tokens.length > tokensMax) throw new CiFileError(invalidSyntax);
  }
  return tokens;
}

function tokenOf(match: RegExpExecArray): Token {
  const [, variable, double, single, source, flags, operator, nothing, input, boolean] = match;
  const name = variable ?? input;
  if (name !== undefined) return { kind: "variable", name };
  if (operator !== undefined) return { kind: "operator", text: operator };
  if (nothing !== undefined) return { kind: "value", value: undefined };
  if (boolean !== undefined) return { kind: "value", value: boolean === "true" };
  if (source !== undefined)
    return { kind: "value", value: { source: withoutEscapedSlashes(source), flags: flags ?? "" } };
  return { kind: "value", value: double ?? single };
}

/** `!` binds closest, then comparisons, `&&` and `||`. An empty text counts as true until it is the value of the whole. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #variables: Variables;
  readonly #patterns: Patterns;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], variables: Variables, patterns: Patterns) {
    this.#tokens = tokens;
    this.#patterns = patterns;
    this.#variables = variables;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  disjunction(): Value {
    let value = this.#conjunction();
    while (this.#take("||")) {
      const other = this.#conjunction();
      value = isUnset(value) ? other : value;
    }
    return value;
  }

  #conjunction(): Value {
    let value = this.#comparison();
    while (this.#take("&&")) {
      const other = this.#comparison();
      value = isUnset(value) ? value : other;
    }
    return value;
  }

  #comparison(): Value {
    let left = this.#negation();
    for (;;) {
      if (this.#take("==")) left = this.#equals(left, this.#negation());
      else if (this.#take("!=")) left = !this.#equals(left, this.#negation());
      else if (this.#take("=~")) left = this.#matches(left, this.#negation());
      else if (this.#take("!~")) left = !this.#matches(left, this.#negation());
      else return left;
    }
  }

  #negation(): Value {
    return this.#take("!") ? this.#deeper(() => !isPresent(this.#negation())) : this.#operand();
  }

  #operand(): Value {
    if (this.#take("(")) {
      const value = this.#deeper(() => this.disjunction());
      if (!this.#take(")")) throw new CiFileError(invalidSyntax);
      return value;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === "operator") throw new CiFileError(invalidSyntax);
    this.#at += 1;
    return token.kind === "variable" ? this.#variables.get(token.name) : token.value;
  }

  #deeper(read: () => Value): Value {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new CiFileError(invalidSyntax);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** `true` equals the text "true". */
  #equals(left: Value, right: Value): boolean {
    if (typeof left === "string") this.#patterns.charge(left.length / comparedPerStep);
    if (typeof left === "boolean" && typeof right === "string") return String(left) === right;
    if (typeof left === "string" && typeof right === "boolean") return left === String(right);
    return left === right;
  }

  /** An unset value is an empty text. A text on the right may be a pattern; otherwise it has to contain the left side. */
  #matches(value: Value, pattern: Value): boolean {
    if (pattern === undefined || typeof pattern === "boolean" || isPattern(value)) return false;
    const text = value === undefined ? "" : String(value);
    if (isPattern(pattern)) return this.#patterns.matches(pattern, text);
    this.#patterns.charge((pattern.length + text.length) / readPerStep);
    const read = readPattern(withoutEscapedSlashes(pattern));
    if (read === undefined || !this.#patterns.isValid(read)) return pattern.includes(text);
    return this.#patterns.matches(read, text);
  }

  #take(operator: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "operator" || token.text !== operator) return false;
    this.#at += 1;
    return true;
  }
}

function isPattern(value: Value): value is Pattern {
  return typeof value === "object";
}

function isUnset(value: Value): boolean {
  return value === undefined || value === false;
}

function isPresent(value: Value): boolean {
  return typeof value === "string" ? value.trim() !== "" : !isUnset(value);
}

/** In RE2 a slash needs no backslash. */
function withoutEscapedSlashes(source: string): string {
  return source.replaceAll("\\/", "/");
}
