import { basePath } from "../state/base.ts";
import type { paths } from "./generated.d.ts";

/** Paths of lists. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { "application/json": readonly unknown[] } } } };
  }
    ? P
    : never;
}[keyof paths];

/** An entry of the list at a path. */
export type ItemOf<P extends ListPath> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": readonly (infer I)[] } } } };
}
  ? I
  : never;

/** The answer of a change. */
export type AnswerOf<P extends keyof paths, M extends "post" | "put" | "patch"> = paths[P][M] extends {
  responses: infer R;
}
  ? R extends { 201: { content: { "application/json": infer A } } }
    ? A
    : R extends { 200: { content: { "application/json": infer A } } }
      ? A
      : undefined
  : never;

/** The query parameters of a list. */
export type QueryOf<P extends ListPath> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;

export type QueryValue = string | number | boolean | undefined;

/** Returns the URL path of an API path with its parameters. Undefined parameters are left out. */
export function addressOf(
  path: string,
  values: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return `${basePath}${filled}${search.size === 0 ? "" : `?${search}`}`;
}
