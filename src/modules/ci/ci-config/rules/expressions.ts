/** The evaluation of `if:` expressions. */

import { CiFileError } from "../values.ts";
import { invalidSyntax, type Pattern, type Patterns, readPattern } from "./patterns.ts";

/** Variables by name. */
export type Variables = Pick<ReadonlyMap<string, string>, "get">;

/** undefined is an unset variable and `null`; a boolean is what a comparison gave. */
type Value = string | boolean | Pattern | undefined;

const tokenPattern =
  /\s*(?:(\$\w+|\$\{\w+\})|"([^"]*)"|'([^']*)'|\/((?:\\.|[^/\\])+)\/([imsU]*)|(==|!=|=~|!~|&&|\|\||\(|\))|(null)\b)/y;

type Token =
  | { readonly kind: "variable" | "text"; readonly text: string }
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "null" };

const lengthMax = 10_000;
/** Parentheses in parentheses. */
const depthMax = 100;
/** Characters of an expression, and of two texts that are compared, that are read in one step. */
const readPerStep = 4;
const comparedPerStep = 10_000;

/** Whether a `rules:if` holds: `$A == "x" && ($B =~ /y/ || $C)`. Throws `CiFileError` for what is no expression. */
export function evaluateExpression(expression: string, variables: Variables, patterns: Patterns): boolean {
  patterns.charge(expression.length / readPerStep);
  const tokens = tokensOf(expression);
  for (const token of tokens) if (token.kind === "pattern") patterns.check(token.pattern);
  const reader = new Reader(tokens, variables, patterns);
  const value = reader.disjunction();
  if (!reader.isAtEnd) throw new CiFileError(invalidSyntax);
  return isTrue(value);
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
  }
  return tokens;
}

function tokenOf([, variable, double, single, pattern, flags, operator]: RegExpExecArray): Token {
  if (variable !== undefined) return { kind: "variable", text: variable.replace(/[${}]/g, "") };
  if (pattern !== undefined) return { kind: "pattern", pattern: { source: pattern, flags: flags ?? "" } };
  if (operator !== undefined) return { kind: "operator", text: operator };
  const text = double ?? single;
  return text === undefined ? { kind: "null" } : { kind: "text", text };
}

/** `&&` binds closer than `||`, comparisons closer than both. */
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
      value = isTrue(value) || isTrue(other);
    }
    return value;
  }

  #conjunction(): Value {
    let value = this.#comparison();
    while (this.#take("&&")) {
      const other = this.#comparison();
      value = isTrue(value) && isTrue(other);
    }
    return value;
  }

  #comparison(): Value {
    const left = this.#operand();
    if (this.#take("==")) return this.#equals(left, this.#operand());
    if (this.#take("!=")) return !this.#equals(left, this.#operand());
    if (this.#take("=~")) return this.#matches(left, this.#operand());
    if (this.#take("!~")) return !this.#matches(left, this.#operand());
    return left;
  }

  #operand(): Value {
    if (this.#take("(")) {
      this.#depth += 1;
      if (this.#depth > depthMax) throw new CiFileError(invalidSyntax);
      const value = this.disjunction();
      this.#depth -= 1;
      if (!this.#take(")")) throw new CiFileError(invalidSyntax);
      return value;
    }
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token?.kind) {
      case "variable":
        return this.#variables.get(token.text);
      case "text":
        return token.text;
      case "pattern":
        return token.pattern;
      case "null":
        return undefined;
      default:
        throw new CiFileError(invalidSyntax);
    }
  }

  #equals(left: Value, right: Value): boolean {
    if (typeof left === "string") this.#patterns.charge(left.length / comparedPerStep);
    return left === right;
  }

  /** A pattern may stand in a variable, too. */
  #matches(value: Value, pattern: Value): boolean {
    if (typeof pattern === "string") this.#patterns.charge(pattern.length / readPerStep);
    const read = typeof pattern === "string" ? readPattern(pattern) : pattern;
    return typeof value === "string" && typeof read === "object" && this.#patterns.matches(read, value);
  }

  #take(operator: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "operator" || token.text !== operator) return false;
    this.#at += 1;
    return true;
  }
}

function isTrue(value: Value): boolean {
  return value !== undefined && value !== "" && value !== false;
}
