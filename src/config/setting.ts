import type { Parser } from "./parsers.ts";

/** A setting. Flags, variables, checks and help all come from these declarations. */
export interface Setting<T> {
  /** The long flag without dashes. `variableOf` derives the variable. */
  readonly flag: string;
  /** The short flag. */
  readonly short?: string;
  /** The placeholder of the value in help. */
  readonly placeholder: string;
  readonly help: string;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** A valid value, for the hint of an error. */
  readonly example: string;
  /** The flag takes no value; the variable is `true` or `false`. A switch that is on by default has the flag `--no-…`. */
  readonly isSwitch?: true;
  /** No output may show the value, not even an error. */
  readonly secret?: true;
  readonly parse: Parser<T>;
}

/** A setting with a default, in text form. */
export interface DefaultedSetting<T> extends Setting<T> {
  readonly default: string;
}

/** Returns the variable of a setting, such as `OUTPOST_EXTERNAL_URL` for `external-url`. */
export function variableOf(setting: Setting<unknown>): string {
  return `OUTPOST_${setting.flag.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Returns the flag as the user types it, without a value: `--port`, or `--no-console` for a switch that is on by default.
 */
export function typedFlag(setting: Setting<unknown> | DefaultedSetting<unknown>): string {
  const isNegative = setting.isSwitch === true && defaultOf(setting) === "true";
  return `--${isNegative ? "no-" : ""}${setting.flag}`;
}

/** Returns the default in text form; undefined when there is none. */
export function defaultOf(setting: Setting<unknown> | DefaultedSetting<unknown>): string | undefined {
  return "default" in setting ? setting.default : undefined;
}
