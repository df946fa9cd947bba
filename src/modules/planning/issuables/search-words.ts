/** The words and fields of a search. */

/** `None` and `Any` in whatever case, as filters have them for what an issue may lack. */
export function noneOrAny(text: string): "none" | "any" | undefined {
  const word = text.toLowerCase();
  return word === "none" || word === "any" ? word : undefined;
}

/** `fix "login page"` → `fix` and `login page`. A quote without another is part of its word. */
export function searchWords(search: string): string[] {
  return [...search.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, phrase, word]) => (phrase ?? word ?? "").trim())
    .filter((word) => word !== "");
}

const fields = ["title", "description"] as const;

/** The fields that `in` names; undefined for all of them. Other words are ignored. */
export function searchFields(wanted: string | undefined): readonly string[] | undefined {
  const words = (wanted ?? "").split(",").map((word) => word.trim());
  const named = fields.filter((field) => words.includes(field));
  return named.length === 0 || named.length === fields.length ? undefined : named;
}
