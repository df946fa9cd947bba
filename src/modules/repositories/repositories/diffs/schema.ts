import { Type } from "@sinclair/typebox";
import { arrayOf } from "../../../kernel/array-schema.ts";
import { Commit } from "../schema.ts";

/** commits 2, "diff entry". */
export const Diff = Type.Object(
  {
    diff: Type.String({ description: "its hunks; empty where it is left out" }),
    collapsed: Type.Boolean({ description: "whether the text is left out because the comparison is long" }),
    too_large: Type.Boolean({ description: "whether the text is left out because it is too long" }),
    new_path: Type.String({ description: "path after the change" }),
    old_path: Type.String({ description: "path before the change" }),
    a_mode: Type.String({ description: "mode of the file before, six digits; 0 for none" }),
    b_mode: Type.String({ description: "mode of the file after, six digits; 0 for none" }),
    new_file: Type.Boolean({ description: "whether the file is added" }),
    renamed_file: Type.Boolean({ description: "whether the file has another path" }),
    deleted_file: Type.Boolean({ description: "whether the file is removed" }),
    generated_file: Type.Union([Type.Boolean(), Type.Null()], {
      description: "whether a program has written the file; unknown",
    }),
  },
  { $id: "Diff" },
);

/** commits 9, "compare". */
export const Comparison = Type.Object(
  {
    commit: Type.Union([Commit, Type.Null()], { description: "newest of the commits" }),
    commits: arrayOf(Commit, { description: "commits that from does not have, oldest first" }),
    diffs: arrayOf(Diff, { description: "changed files" }),
    compare_timeout: Type.Boolean({ description: "whether limits cut the comparison" }),
    compare_same_ref: Type.Boolean({ description: "whether both are the same commit" }),
    web_url: Type.String(),
  },
  { $id: "Comparison" },
);
