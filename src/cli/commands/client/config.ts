import type { EffectiveSetting } from "../../../config/effective-settings.ts";
import { typedFlag, variableOf } from "../../../config/setting.ts";
import { printJson, printTable } from "../../output/table.ts";

export interface ConfigFlags {
  readonly settings: readonly EffectiveSetting[];
  readonly json: boolean;
}

const hidden = "[hidden]";

/** Prints every setting with its value and source: as a table on a terminal, else as aligned words or JSON. */
export async function config({ settings, json }: ConfigFlags): Promise<void> {
  if (json) await printJson(asObject(settings));
  else await printTable(["setting", "value", "from", "variable"], settings.map(rowOf));
}

/** Returns the settings by name. The keys are stable. */
function asObject(settings: readonly EffectiveSetting[]) {
  return Object.fromEntries(
    settings.map(({ setting, value, from }) => [
      setting.flag.replaceAll("-", "_"),
      {
        value: value === undefined ? null : setting.secret ? hidden : value,
        from,
        flag: typedFlag(setting),
        variable: variableOf(setting),
      },
    ]),
  );
}

function rowOf({ setting, value, from }: EffectiveSetting): string[] {
  const shown = value === undefined ? "(not set)" : setting.secret ? hidden : String(value);
  return [setting.flag, shown, from, variableOf(setting)];
}
