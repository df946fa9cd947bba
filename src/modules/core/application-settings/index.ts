export { applicationSettings } from "./collection.ts";
export { applicationSettingsOperations } from "./operations.ts";
export { ApplicationSettings, initialSettings } from "./schema.ts";
export { saveRecaptchaKeys, settingsOf, weightsOf } from "./service.ts";
