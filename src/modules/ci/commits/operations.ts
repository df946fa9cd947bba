import { accessLevels } from "../../../domain/access-level.ts";
import { inProject } from "../../core/access/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { getCommit } from "../../repositories/repositories/index.ts";
import { presentCommitDetail } from "./present.ts";
import { CommitDetail, CommitInPath } from "./schema.ts";

export const commitOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/commits/:sha",
    summary: "Get a commit of a repository",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: CommitInPath,
    answer: ok(CommitDetail),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const hasStats = params.stats !== false;
      const found = await getCommit(context, caller, project, params.sha, { hasStats });
      return presentCommitDetail(found, call, { project });
    },
  }),
];
