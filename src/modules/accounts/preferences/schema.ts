import { Type } from "@sinclair/typebox";
import { boolean, optional } from "../../../domain/parameters.ts";

/** users-and-auth 13. */
export const UserPreferences = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    view_diffs_file_by_file: Type.Boolean(),
    show_whitespace_in_diffs: Type.Boolean(),
    pass_user_identities_to_ci_jwt: Type.Boolean(),
  },
  { $id: "UserPreferences" },
);

export const ChangeUserPreferences = Type.Object({
  view_diffs_file_by_file: optional(boolean()),
  show_whitespace_in_diffs: optional(boolean()),
  pass_user_identities_to_ci_jwt: optional(boolean()),
});
