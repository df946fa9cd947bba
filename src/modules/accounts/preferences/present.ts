import type { Static } from "@sinclair/typebox";
import type { UserRecord } from "../../core/users/records.ts";
import type { View } from "../../kernel/view.ts";
import type { UserPreferences } from "./schema.ts";
import { preferencesOf } from "./service.ts";

/** users-and-auth 13. */
export function presentPreferences(user: UserRecord, { context: { store } }: View): Static<typeof UserPreferences> {
  const { id, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt } = preferencesOf(store, user.id);
  const { view_diffs_file_by_file } = user;
  return { id, user_id: user.id, view_diffs_file_by_file, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt };
}
