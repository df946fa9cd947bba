import type { Config } from "../config/config.ts";
import { settingsInUse } from "../config/effective-settings.ts";
import { typedFlag, variableOf } from "../config/setting.ts";
import type { StartSetting } from "../modules/kernel/context.ts";

/** Returns the settings of the server, for administrators, without secret values. */
export function startSettingsOf(config: Config): readonly StartSetting[] {
  return settingsInUse(config).map(({ setting, value, from }) => ({
    name: setting.flag,
    help: setting.help,
    flag: typedFlag(setting),
    variable: variableOf(setting),
    value: setting.secret === true ? null : (value ?? null),
    isHidden: setting.secret === true && value !== undefined,
    from,
  }));
}
