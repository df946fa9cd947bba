import type { StoredDocument } from "../indexes/index.ts";

/**
 * A document that shares no memory with a request. A text that was cut out of another one keeps the other one in memory: a
 * title could keep the megabytes of its form. What has not changed comes from the document before.
 */
export function copyOf<T extends StoredDocument>(document: T, before: T | undefined): T {
  if (before === undefined) return throughJson(document);
  const changed: Partial<T> = {};
  for (const name in document) if (document[name] !== before[name]) changed[name] = document[name];
  const copied = throughJson(changed);
  const copy: Partial<T> = {};
  for (const name in document) copy[name] = Object.hasOwn(changed, name) ? copied[name] : before[name];
  return copy as T;
}

function throughJson<V>(value: V): V {
  return JSON.parse(JSON.stringify(value)) as V;
}
