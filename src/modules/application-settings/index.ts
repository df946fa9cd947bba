export { applicationSettings } from "./collection.ts";
export { applicationSettingsOperations } from "./operations.ts";
export { type ApplicationSettings, initialSettings } from "./schema.ts";
export { saveRecaptchaKeys, settingsOf, weightsOf } from "./service.ts";
