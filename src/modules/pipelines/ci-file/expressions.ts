import { CiFileError } from "./values.ts";

/** Variables by name. */
export type Variables = ReadonlyMap<string, string>;

/** undefined is an unset variable and `null`; a boolean is what a comparison gave. */
type Value = string | boolean | RegExp | undefined;

const tokenPattern =
  /\s*(?:(\$\w+|\$\{\w+\})|"([^"]*)"|'([^']*)'|\/((?:\\.|[^/\\])+)\/([ims]*)|(==|!=|=~|!~|&&|\|\||\(|\))|(null)\b)/y;

type Token =
  | { readonly kind: "variable" | "text"; readonly text: string }
  | { readonly kind: "pattern"; readonly pattern: RegExp }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "null" };

const lengthMax = 10_000;

/** Whether a `rules:if` holds: `$A == "x" && ($B =~ /y/ || $C)`. Throws `CiFileError` for what is no expression. */
export function holds(expression: string, variables: Variables): boolean {
  const reader = new Reader(tokensOf(expression), variables);
  const value = reader.disjunction();
  if (!reader.isAtEnd) throw new CiFileError("invalid expression syntax");
  return isTrue(value);
}

/** `/x/i` → its expression; undefined for what is none. */
export function patternOf(text: string): RegExp | undefined {
  const match = /^\/((?:\\.|[^/\\])*)\/([ims]*)$/s.exec(text.trim());
  return match === null ? undefined : compile(match[1] as string, match[2] as string);
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source.replace(/\\A/g, "^").replace(/\\z/gi, "$"), flags);
  } catch (error) {
    throw new CiFileError("invalid expression syntax", { cause: error });
  }
}

function tokensOf(expression: string): Token[] {
  if (expression.length > lengthMax) throw new CiFileError("invalid expression syntax");
  const text = expression.trim();
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) throw new CiFileError("invalid expression syntax");
    tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([, variable, double, single, pattern, flags, operator]: RegExpExecArray): Token {
  if (variable !== undefined) return { kind: "variable", text: variable.replace(/[${}]/g, "") };
  if (pattern !== undefined) return { kind: "pattern", pattern: compile(pattern, flags ?? "") };
  if (operator !== undefined) return { kind: "operator", text: operator };
  const text = double ?? single;
  return text === undefined ? { kind: "null" } : { kind: "text", text };
}

/** `&&` binds closer than `||`, comparisons closer than both. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #variables: Variables;
  #at = 0;

  constructor(tokens: readonly Token[], variables: Variables) {
    this.#tokens = tokens;
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
    if (this.#take("==")) return left === this.#operand();
    if (this.#take("!=")) return left !== this.#operand();
    if (this.#take("=~")) return matches(left, this.#operand());
    if (this.#take("!~")) return !matches(left, this.#operand());
    return left;
  }

  #operand(): Value {
    if (this.#take("(")) {
      const value = this.disjunction();
      if (!this.#take(")")) throw new CiFileError("invalid expression syntax");
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
        throw new CiFileError("invalid expression syntax");
    }
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

/** A pattern may stand in a variable, too. */
function matches(value: Value, pattern: Value): boolean {
  if (typeof value !== "string") return false;
  const expression = typeof pattern === "string" ? patternOf(pattern) : pattern;
  return expression instanceof RegExp && expression.test(value);
}
