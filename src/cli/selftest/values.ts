import { createHash } from "node:crypto";
import { ListWith, Matcher, Reference, type RunFacts, type Step, type Value } from "./scenario.ts";

/** Returns a name that no other run uses. */
export function unique(word: string): Reference {
  return new Reference([], ({ random }) => `${word}-${random}`);
}

/** Makes a text that contains values. */
export function text(strings: TemplateStringsArray, ...values: readonly (string | number | Reference)[]): Reference {
  return new Reference(values.flatMap(stepsIn), (facts) =>
    strings.map((part, at) => `${part}${at < values.length ? String(resolve(values[at], facts)) : ""}`).join(""),
  );
}

/** Returns a value that is computed from another one. */
export function derived(from: Reference, derive: (value: string) => string): Reference {
  return new Reference(from.steps, (facts) => derive(String(from.read(facts))));
}

/** Returns the path and query of a URL in an answer: the client may use another origin. */
export function pathOf(url: Reference): Reference {
  return derived(url, (value) => {
    const { pathname, search } = new URL(value, "http://localhost");
    return `${pathname}${search}`;
  });
}

/** Returns the value with all references replaced. Throws `MissingValue`. */
export function resolve(value: Value | undefined, facts: RunFacts): unknown {
  if (value instanceof Reference) return value.read(facts);
  if (Array.isArray(value)) return value.map((each: Value) => resolve(each, facts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, facts)]));
}

/** Returns the steps that a value refers to, at any depth. */
export function stepsIn(value: unknown): readonly Step[] {
  if (value instanceof Reference) return value.steps;
  if (value instanceof ListWith) return stepsIn(value.item);
  if (typeof value !== "object" || value === null || value instanceof Matcher || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(stepsIn);
}

/** Matches a string by a regular expression. */
export const pattern = (expression: RegExp) =>
  new Matcher(`text like ${expression}`, (value) => typeof value === "string" && expression.test(value));

/** Matches a value of the type. */
export const type = (name: "string" | "number" | "boolean") =>
  new Matcher(`a ${name}`, (value) => typeof value === name);

/** Matches a text that is not empty. */
export const someText = new Matcher("text", (value) => typeof value === "string" && value !== "");

/** Matches a list with at least one such item. */
export const listWith = (item: ListWith["item"]) => new ListWith(item);

/** Matches a list of this length. */
export const listOf = (length: number) =>
  new Matcher(`a list of ${length}`, (value) => Array.isArray(value) && value.length === length);

/** Returns the digest of a text in the form of image registries. */
export function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
