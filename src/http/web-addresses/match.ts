import type { Place } from "./places.ts";

/** A matching place, with the decoded values of its parameters. */
export interface MatchedPlace {
  readonly place: Place;
  readonly values: Readonly<Record<string, string>>;
}

/** Finds the place that matches the segments. */
export function matchPlace(places: readonly Place[], segments: readonly string[]): MatchedPlace | undefined {
  for (const place of places) {
    const values = valuesOf(place.path.split("/"), segments);
    if (values !== undefined) return { place, values };
  }
  return undefined;
}

function valuesOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const takesRest = pattern.at(-1)?.startsWith("*") === true;
  if (takesRest ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, word] of pattern.entries()) {
    const segment = segments[index] as string;
    if (word.includes(":")) {
      const named = new RegExp(`^${word.replaceAll(".", "\\.").replaceAll(/:(\w+)/g, "(?<$1>.+)")}$`, "s").exec(
        segment,
      );
      if (named === null) return undefined;
      Object.assign(values, named.groups);
    } else if (word.startsWith("*")) values[word.slice(1)] = segments.slice(index).join("/");
    else if (word !== segment) return undefined;
  }
  return values;
}

/** Replaces each `:name` with an encoded value. */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** Replaces each `{name}` with a field of an answer. */
export function filledFrom(pattern: string, answer: Readonly<Record<string, unknown>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(answer[name])));
}
