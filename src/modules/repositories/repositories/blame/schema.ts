import { Type } from "@sinclair/typebox";
import { arrayOf } from "../../../kernel/array-schema.ts";
import { Commit } from "../schema.ts";

const { id, parent_ids, message, authored_date, author_name, author_email } = Commit.properties;
const { committed_date, committer_name, committer_email } = Commit.properties;

/** commits 10, "blame": neighbouring lines that one commit brought. */
export const BlameRange = Type.Object(
  {
    commit: Type.Object(
      {
        id,
        parent_ids,
        message,
        authored_date,
        author_name,
        author_email,
        committed_date,
        committer_name,
        committer_email,
      },
      { description: "commit that brought the lines" },
    ),
    lines: arrayOf(Type.String(), { description: "lines without their ends" }),
  },
  { $id: "BlameRange" },
);
