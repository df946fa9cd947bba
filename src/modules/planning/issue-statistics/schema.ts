import { Type } from "@sinclair/typebox";
import { groupId, projectId } from "../../../domain/parameters.ts";
import { issueFilterParameters } from "../issues/index.ts";

/** Seed 2.2. */
export const IssueStatistics = Type.Object(
  {
    statistics: Type.Object({
      counts: Type.Object({
        all: Type.Integer({ description: "closed and opened together" }),
        closed: Type.Integer(),
        opened: Type.Integer(),
      }),
    }),
  },
  { $id: "IssueStatistics" },
);

export const CountIssues = Type.Object(issueFilterParameters);
export const CountGroupIssues = Type.Object({ id: groupId(), ...issueFilterParameters });
export const CountProjectIssues = Type.Object({ id: projectId(), ...issueFilterParameters });
