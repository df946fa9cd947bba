import type { Static } from "@sinclair/typebox";
import type { View } from "../../../kernel/view.ts";
import { presentCommit } from "../present.ts";
import type { BlameRange } from "./schema.ts";
import type { BlamedText } from "./service.ts";

/** Neighbouring lines, with less of their commit than elsewhere. */
export function presentBlameRange({ commit, lines }: BlamedText, view: View): Static<typeof BlameRange> {
  const shown = presentCommit(commit, view, { projectPath: "" });
  return {
    commit: {
      id: shown.id,
      parent_ids: shown.parent_ids,
      message: shown.message,
      authored_date: shown.authored_date,
      author_name: shown.author_name,
      author_email: shown.author_email,
      committed_date: shown.committed_date,
      committer_name: shown.committer_name,
      committer_email: shown.committer_email,
    },
    lines,
  };
}
