import { Type } from "@sinclair/typebox";

/** commits 9, "contributors". */
export const Contributor = Type.Object(
  {
    name: Type.String({ description: "name in the newest of the commits" }),
    email: Type.String(),
    commits: Type.Integer({ description: "number of commits" }),
    additions: Type.Integer({ description: "always 0" }),
    deletions: Type.Integer({ description: "always 0" }),
  },
  { $id: "Contributor" },
);
