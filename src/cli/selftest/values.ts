import { createHash } from "node:crypto";
import { ListWith, Matcher, Reference, type RunFacts, type Step, type Value } from "./scenario.ts";

/** A name that no other run uses. */
export function unique(word: string): Reference {
  return new Reference([], ({ random }) => `${word}-${random}`);
}

/** Text with values in it. */
export function text(strings: TemplateStringsArray, ...values: readonly (string | number | Reference)[]): Reference {
  return new Reference(values.flatMap(stepsIn), (facts) =>
    strings.map((part, at) => `${part}${at < values.length ? String(resolve(values[at], facts)) : ""}`).join(""),
  );
}

/** A value that is made of another one. */
export function derived(from: Reference, derive: (value: string) => string): Reference {
  return new Reference(from.steps, (facts) => derive(String(from.read(facts))));
}

/** The path and query of a URL in an answer: clients may know the server by another name than it does itself. */
export function pathOf(url: Reference): Reference {
  return derived(url, (value) => {
    const { pathname, search } = new URL(value, "http://localhost");
    return `${pathname}${search}`;
  });
}

/** The value with all references replaced. Throws `MissingValue`. */
export function resolve(value: Value | undefined, facts: RunFacts): unknown {
  if (value instanceof Reference) return value.read(facts);
  if (Array.isArray(value)) return value.map((each: Value) => resolve(each, facts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, facts)]));
}

/** The steps that a value refers to, at any depth. */
export function stepsIn(value: unknown): readonly Step[] {
  if (value instanceof Reference) return value.steps;
  if (value instanceof ListWith) return stepsIn(value.item);
  if (typeof value !== "object" || value === null || value instanceof Matcher || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(stepsIn);
}

/** A string that the expression matches. */
export const pattern = (expression: RegExp) =>
  new Matcher(`text like ${expression}`, (value) => typeof value === "string" && expression.test(value));

/** A value of the type. */
export const type = (name: "string" | "number" | "boolean") =>
  new Matcher(`a ${name}`, (value) => typeof value === name);

/** Text that is not empty. */
export const someText = new Matcher("text", (value) => typeof value === "string" && value !== "");

/** A list with one such item at least. */
export const listWith = (item: ListWith["item"]) => new ListWith(item);

/** A list with so many items. */
export const listOf = (length: number) =>
  new Matcher(`a list of ${length}`, (value) => Array.isArray(value) && value.length === length);

/** The digest of some text, as image registries write it. */
export function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
