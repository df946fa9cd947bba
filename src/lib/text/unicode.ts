/**
 * The longest text, in UTF-16 units, for the Unicode algorithms of the runtime. Their time may be quadratic: `normalize`
 * takes 3 ms for 1,024 combining marks, and 48 ms for 4,096.
 */
const lengthMax = 1_024;

/** Normalizes a text. Drops everything after its first 1,024 UTF-16 units. */
export function normalizeUnicode(text: string, form: "NFC" | "NFKD"): string {
  return text.slice(0, lengthMax).toWellFormed().normalize(form);
}

const byVersion = new Intl.Collator("en", { numeric: true });

/** Compares names as versions: `v2` comes before `v10`. If the first 1,024 UTF-16 units are equal, the rest decides. */
export function compareVersions(one: string, other: string): number {
  return byVersion.compare(one.slice(0, lengthMax), other.slice(0, lengthMax)) || compareText(one, other);
}

/** Compares by UTF-16 units. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Compares by the bytes of UTF-8. */
export function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (unit !== otherUnit) return sortValueOf(unit) - sortValueOf(otherUnit);
  }
  return one.length - other.length;
}

/** Returns the sort value of a unit. Surrogates stand for characters after all single units. */
function sortValueOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
