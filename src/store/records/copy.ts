import type { StoredDocument } from "../indexes/index.ts";

/**
 * Returns a copy that shares no memory with a request. A substring keeps its whole string in memory, so a title could keep
 * the megabytes of its form. Unchanged values come from the document before.
 */
export function copyOf<T extends StoredDocument>(document: T, before: T | undefined): T {
  if (before === undefined) return throughJson(document);
  const copy: Partial<T> = {};
  const changed: Partial<T> = {};
  let isCopied = true;
  for (const name in document) {
    const value = document[name];
    copy[name] = value;
    if (value === before[name] || Number.isSafeInteger(value)) continue;
    changed[name] = value;
    isCopied = false;
  }
  if (isCopied) return copy as T;
  const copied = throughJson(changed);
  for (const name in changed) copy[name] = copied[name];
  return copy as T;
}

function throughJson<V>(value: V): V {
  return JSON.parse(JSON.stringify(value)) as V;
}
