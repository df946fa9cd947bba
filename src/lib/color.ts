/** `#RRGGBB`. */
export type Color = string;

/** `#RGB`, `#RRGGBB` or the name of a CSS colour → `#RRGGBB`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const given = text.trim();
  if (/^#[\da-f]{6}$/i.test(given)) return given;
  if (/^#[\da-f]{3}$/i.test(given)) return given.replace(/[\da-f]/gi, (digit) => digit + digit);
  // `Bun.color` reads more than names, and answers words such as `canvas` with themselves.
  if (!/^[a-z]+$/i.test(given) || given.toLowerCase() === "transparent") return undefined;
  const color = Bun.color(given.toLowerCase(), "HEX");
  return color?.startsWith("#") === true ? color : undefined;
}
