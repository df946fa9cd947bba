import type { Parser } from "./parsers.ts";

/** One thing that a person can set. Flags, variables, checks and help all come from this table. */
export interface Setting<T> {
  /** The long flag without its dashes; the variable has the same words (`variableOf`). */
  readonly flag: string;
  /** One letter, for what is typed daily. */
  readonly short?: string;
  /** Stands for the value in help. */
  readonly placeholder: string;
  readonly help: string;
  /** Ends the sentence "expected …". */
  readonly expected: string;
  /** A good value, shown in the hint of a bad one. */
  readonly example: string;
  /** Has no value on the command line; its variable is `true` or `false`. One that is on by itself has the flag `--no-…`. */
  readonly isSwitch?: true;
  /** The value must not be shown, not even in the error about it. */
  readonly secret?: true;
  readonly parse: Parser<T>;
}

/** A setting that always has a value; the default is text, as a person would write it. */
export interface DefaultedSetting<T> extends Setting<T> {
  readonly default: string;
}

/** `external-url` → `OUTPOST_EXTERNAL_URL`. */
export function variableOf(setting: Setting<unknown>): string {
  return `OUTPOST_${setting.flag.toUpperCase().replaceAll("-", "_")}`;
}

/** The flag as it is typed, without its value: `--port`, or `--no-console` for a switch that is on by itself. */
export function typedFlag(setting: Setting<unknown> | DefaultedSetting<unknown>): string {
  const isNegative = setting.isSwitch === true && defaultOf(setting) === "true";
  return `--${isNegative ? "no-" : ""}${setting.flag}`;
}

/** The default as a person would write it, when there is one. */
export function defaultOf(setting: Setting<unknown> | DefaultedSetting<unknown>): string | undefined {
  return "default" in setting ? setting.default : undefined;
}
