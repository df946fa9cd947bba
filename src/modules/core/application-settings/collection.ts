import { collection } from "../../../store/index.ts";
import type { ApplicationSettings } from "./schema.ts";

/** One document, id 1, with the settings that were ever changed. */
export interface ApplicationSettingsRecord {
  readonly id: 1;
  readonly values: Partial<ApplicationSettings>;
}

export const applicationSettings = collection<ApplicationSettingsRecord>()("application-settings", {});
