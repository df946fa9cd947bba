/** The texts that the real platform, which is written in Ruby, makes of values of a CI file. */

/** A number that JavaScript writes in another way than Ruby, as `1.0`, or cannot hold. */
export class ExactNumber {
  /** As Ruby writes it. */
  readonly text: string;
  readonly isInteger: boolean;

  constructor(text: string, isInteger: boolean) {
    this.text = text;
    this.isInteger = isInteger;
  }

  toJSON(): number | null {
    const number = Number(this.text);
    return Number.isFinite(number) ? number : null;
  }
}

const [fixedMin, fixedMax] = [-4, 15];

/** A floating-point number as Ruby writes it. */
function floatText(number: number): string {
  if (!Number.isFinite(number)) return String(number);
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [digits = "", written = "0"] = number.toExponential().split("e");
  const exponent = Number(written);
  if (exponent >= fixedMin && exponent <= fixedMax) return Number.isInteger(number) ? `${number}.0` : String(number);
  const mantissa = digits.includes(".") ? digits : `${digits}.0`;
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** A floating-point number of a file. */
export function floatOf(number: number): number | ExactNumber {
  const text = floatText(number);
  return text === String(number) && Number.isFinite(number) ? number : new ExactNumber(text, false);
}

/** An integer of a file. */
export function integerOf(integer: bigint): number | ExactNumber {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : new ExactNumber(String(integer), true);
}

/** The text of a scalar (`to_s`); undefined for a list, a mapping, or what is not there. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof ExactNumber ? value.text : undefined;
}

/** A value as error messages show it (`inspect`). */
export function inspect(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  const text = textOf(value);
  if (text !== undefined) return text;
  if (typeof value !== "object" || value === null) return "nil";
  if (Array.isArray(value)) return `[${value.map(inspect).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}=>${inspect(inner)}`);
  return `{${entries.join(", ")}}`;
}
