import { defineModule } from "../../kernel/module.ts";
import { applicationSettings } from "./records.ts";
import { MergedSettings, updateRecaptchaKeys } from "./service.ts";

export {
  type BranchProtectionDefaults,
  type BranchProtectionForms,
  branchProtection,
  branchProtectionDefaults,
  formsOfNumber,
  formsOfRequest,
  protectedLevelsOf,
} from "./branch-protection.ts";
export { ApplicationSettings, initialSettings } from "./schema.ts";
export { restriction, settingsOf, weightsOf } from "./service.ts";

export const applicationSettingsModule = defineModule({
  name: "application-settings",
  tag: "Settings",
  about: { Settings: "Settings of the instance." },
  areas: ["application"],
  operations: async () => (await import("./operations.ts")).applicationSettingsOperations,
  samples: async () => (await import("./samples.ts")).applicationSettingsSamples,
  services: [MergedSettings],
  collections: [applicationSettings],
  start: updateRecaptchaKeys,
});
