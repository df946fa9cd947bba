import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/**
 * How a user wants things shown (users-and-auth 13); of the user's own id, and there once something was changed.
 * `view_diffs_file_by_file` is in the user's record, where administrators set it.
 */
export const UserPreferencesRecord = record({
  id: field.whole,
  show_whitespace_in_diffs: field.flag,
  pass_user_identities_to_ci_jwt: field.flag,
});
export type UserPreferencesRecord = RecordOf<typeof UserPreferencesRecord>;

export const userPreferences = collection("user-preferences", UserPreferencesRecord, { sequence: undefined });
