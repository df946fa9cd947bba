import { field, type RecordOf } from "../../../store/index.ts";

/** The tags of images to remove, and when; a record keeps the settings. */
export const ExpirationPolicy = field.object({
  cadence: field.text,
  enabled: field.flag,
  keep_n: field.nullable(field.whole),
  older_than: field.nullable(field.text),
  name_regex: field.nullable(field.text),
  name_regex_keep: field.nullable(field.text),
});
export type ExpirationPolicy = RecordOf<typeof ExpirationPolicy>;

export const initialExpirationPolicy: ExpirationPolicy = {
  cadence: "1d",
  enabled: false,
  keep_n: 10,
  older_than: "90d",
  name_regex: ".*",
  name_regex_keep: null,
};
