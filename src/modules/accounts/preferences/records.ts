import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/**
 * The preferences of a user (users-and-auth 13); the id is the user's. No record exists before the first change.
 * `view_diffs_file_by_file` is in the user's record, where administrators set it.
 */
export const UserPreferencesRecord = record({
  id: field.whole,
  show_whitespace_in_diffs: field.flag,
  pass_user_identities_to_ci_jwt: field.flag,
});
export type UserPreferencesRecord = RecordOf<typeof UserPreferencesRecord>;

export const userPreferences = collection("user-preferences", UserPreferencesRecord, { sequence: undefined });
