import { Type } from "@sinclair/typebox";
import { collection, field, type RecordOf, record } from "../../../store/index.ts";
import { ApplicationSettings, secretSettings } from "./schema.ts";

/** One document, id 1, with the settings that were ever changed. */
export const ApplicationSettingsRecord = record({
  id: field.oneOf(1),
  values: Type.Partial(ApplicationSettings),
});
export type ApplicationSettingsRecord = RecordOf<typeof ApplicationSettingsRecord>;

export const applicationSettings = collection("application-settings", ApplicationSettingsRecord, {
  secrets: { values: { omit: secretSettings, public: ["recaptcha_site_key"] } },
  sequence: undefined,
});
