export { applicationSettingsOperations } from "./operations.ts";
export { applicationSettings } from "./records.ts";
export { ApplicationSettings, initialSettings } from "./schema.ts";
export { saveRecaptchaKeys, settingsOf, weightsOf } from "./service.ts";
