import type { StoredDocument } from "../indexes/index.ts";

/**
 * A document that shares no memory with a request. A text that was cut out of another one keeps the other one in memory: a
 * title could keep the megabytes of its form. What has not changed comes from the document before.
 */
export function copyOf<T extends StoredDocument>(document: T, before: T | undefined): T {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(document)) {
    const old = before?.[name as keyof T];
    if (value === old) copy[name] = old;
    else
      copy[name] = typeof value === "string" || typeof value === "object" ? JSON.parse(JSON.stringify(value)) : value;
  }
  return copy as T;
}
