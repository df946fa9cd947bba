import { collection } from "../../../store/index.ts";

/**
 * How a user wants things shown (users-and-auth 13); of the user's own id, and there once something was changed.
 * `view_diffs_file_by_file` is in the user's record, where administrators set it.
 */
export interface UserPreferencesRecord {
  readonly id: number;
  readonly show_whitespace_in_diffs: boolean;
  readonly pass_user_identities_to_ci_jwt: boolean;
}

export const userPreferences = collection<UserPreferencesRecord>()("user-preferences", {});
