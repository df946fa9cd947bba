import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, operation, pageOf } from "../../kernel/operation.ts";
import { presentCommitStatus } from "./present.ts";
import { CommitStatus, ListCommitStatuses, NewCommitStatus } from "./schema.ts";
import { createCommitStatus } from "./service-create.ts";
import { listCommitStatuses } from "./service-list.ts";

/** commits 7. */
export const commitStatusOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/commits/:sha/statuses",
    summary: "List the statuses of a commit",
    who: inProject(accessLevels.none),
    params: ListCommitStatuses,
    answer: pageOf(CommitStatus),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const found = await listCommitStatuses(context, caller, project, params, page);
      return mapPage(found, (job) => presentCommitStatus(job, call));
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/statuses/:sha",
    summary: "Set the status of a commit",
    who: inProject(accessLevels.developer),
    params: NewCommitStatus,
    answer: created(CommitStatus),
    failures: ["invalid", "unprocessable", "too_large"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      return presentCommitStatus(await createCommitStatus(context, caller, project, params, baseUrl), call);
    },
  }),
];
