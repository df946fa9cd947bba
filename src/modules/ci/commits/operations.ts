import { accessLevels } from "../../../domain/access-level.ts";
import { inProject } from "../../core/access/index.ts";
import { created, ok, operation } from "../../kernel/operation.ts";
import { createCommit, getCommit } from "../../repositories/repositories/index.ts";
import { presentCommitDetail } from "./present.ts";
import { readCommitRequest } from "./request.ts";
import { CommitDetail, CommitInPath, NewCommit } from "./schema.ts";

export const commitOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/repository/commits",
    summary: "Create a commit with changes of several files",
    who: inProject(accessLevels.developer),
    params: NewCommit,
    answer: created(CommitDetail),
    failures: ["invalid", "no_room", "too_large"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const hasStats = params.stats !== false;
      const read = () => readCommitRequest(context, caller, project, params);
      const order = { branch: params.branch ?? "", read, hasStats };
      const found = await createCommit(context, caller, project, order, baseUrl);
      return presentCommitDetail(found, call, { project });
    },
  }),

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
