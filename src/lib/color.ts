import names from "color-name";

/** `#RRGGBB`. */
export type Color = string;

/** `#RGB`, `#RRGGBB` or the name of a CSS colour → `#RRGGBB`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const given = text.trim();
  if (/^#[\da-f]{6}$/i.test(given)) return given;
  if (/^#[\da-f]{3}$/i.test(given)) return given.replace(/[\da-f]/gi, (digit) => digit + digit);
  const name = given.toLowerCase();
  return Object.hasOwn(names, name) ? `#${(names[name] ?? []).map(hexOf).join("")}` : undefined;
}

function hexOf(part: number): string {
  return part.toString(16).padStart(2, "0").toUpperCase();
}
