import type { EffectiveSetting } from "../config/config.ts";
import { variableOf } from "../config/settings.ts";
import { isWatched, print, stdout, wantsColour } from "./terminal.ts";

export interface ConfigFlags {
  readonly settings: readonly EffectiveSetting[];
  readonly json: boolean;
}

const hidden = "[hidden]";

/** Every setting, its value and where that comes from: a table for people, aligned words elsewhere, or JSON. */
export async function config({ settings, json }: ConfigFlags): Promise<void> {
  if (json) await print(`${JSON.stringify(asObject(settings), null, 2)}\n`);
  else if (isWatched(stdout)) await print(tableOf(settings));
  else await print(aligned(settings.map(rowOf)));
}

/** By name, with keys that stay as they are. */
function asObject(settings: readonly EffectiveSetting[]) {
  return Object.fromEntries(
    settings.map(({ setting, value, from }) => [
      setting.flag.replaceAll("-", "_"),
      {
        value: value === undefined ? null : setting.secret ? hidden : value,
        from,
        flag: `--${setting.flag}`,
        variable: variableOf(setting),
      },
    ]),
  );
}

function rowOf({ setting, value, from }: EffectiveSetting): string[] {
  const shown = value === undefined ? "(not set)" : setting.secret ? hidden : String(value);
  return [setting.flag, shown, from, variableOf(setting)];
}

function tableOf(settings: readonly EffectiveSetting[]): string {
  const head = ["setting", "value", "from", "variable"];
  const [first = "", ...rows] = aligned([head, ...settings.map(rowOf)]).split("\n");
  const title = wantsColour(stdout) ? `\x1b[1m${first}\x1b[0m` : first;
  return [title, "─".repeat(Math.max(first.length, ...rows.map(({ length }) => length))), ...rows].join("\n");
}

/** Columns two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
