/** The titles of a changelog's categories, as a project's settings give them to values of the trailer. */

import { isMap, isScalar, parseDocument } from "yaml";

/** Titles by values; undefined for settings that are none. Other settings than the categories are left as they are. */
export function categoriesIn(text: string): ReadonlyMap<string, string> | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) return new Map();
  if (!isMap(document.contents)) return undefined;
  const categories = document.contents.get("categories", true);
  if (categories === undefined) return new Map();
  if (!isMap(categories)) return undefined;
  const titles = new Map<string, string>();
  for (const { key, value } of categories.items) {
    if (!isScalar(key) || !isScalar(value)) return undefined;
    titles.set(String(key.value), String(value.value));
  }
  return titles;
}
