/** `#RRGGBB`. */
export type Color = string;

/** Converts `#RGB`, `#RRGGBB` or the name of a CSS colour into `#RRGGBB`. Returns undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const given = text.trim();
  if (/^#[\da-f]{6}$/i.test(given)) return given;
  if (/^#[\da-f]{3}$/i.test(given)) return given.replace(/[\da-f]/gi, (digit) => digit + digit);
  // `Bun.color` accepts more than names, and returns words such as `canvas` unchanged.
  if (!/^[a-z]+$/i.test(given) || given.toLowerCase() === "transparent") return undefined;
  const color = Bun.color(given.toLowerCase(), "HEX");
  return color?.startsWith("#") === true ? color : undefined;
}
