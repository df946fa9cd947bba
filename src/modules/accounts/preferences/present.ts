import type { Store } from "../../../store/index.ts";
import type { UserRecord } from "../../core/users/index.ts";
import { preferencesOf } from "./service.ts";

/** users-and-auth 13. */
export function presentPreferences(store: Store, user: UserRecord) {
  const { id, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt } = preferencesOf(store, user.id);
  const { view_diffs_file_by_file } = user;
  return { id, user_id: user.id, view_diffs_file_by_file, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt };
}
