import { type Static, Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { mapPage, type Page, type PageRequest } from "../../../domain/page.ts";
import { idInPath, oneOf, optional, text } from "../../../domain/parameters.ts";
import type { Condition } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { presentProjectIdentity } from "../../core/namespaces/index.ts";
import { ProjectIdentity } from "../../groups-and-projects/projects/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { JobBasics, presentListedJobBasics, statuses } from "../pipelines/index.ts";
import { type CiJobRecord, ciJobs } from "../pipelines/records-jobs.ts";
import { getRunner } from "../runners/index.ts";
import { findManager } from "../runners/records.ts";

const RunnerJob = Type.Object(
  {
    ...Type.Omit(JobBasics, ["project"]).properties,
    project: ProjectIdentity,
  },
  {
    $id: "RunnerJob",
  },
);

const ListRunnerJobs = Type.Object({
  id: idInPath("runner id"),
  system_id: optional(text({ description: "of one machine of the runner" })),
  status: optional(oneOf(statuses)),
  order_by: optional(oneOf(["id"])),
  sort: optional(oneOf(["asc", "desc"], { description: "desc by default" })),
});

/** The jobs of runners, for callers who may change the runners. */
export const runnerJobOperations = [
  operation({
    method: "GET",
    path: "/runners/:id/jobs",
    scopes: ["manage_runner"],
    summary: "List the jobs of a runner",
    who: "signed_in",
    params: ListRunnerJobs,
    answer: pageOf(RunnerJob, {
      keyset: { orders: [{ orderBy: "id", sort: ["asc", "desc"] }], defaults: { orderBy: "id", sort: "desc" } },
    }),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listRunnerJobs(context, caller, params, page), (job) => {
        const project = context.store.of(projects).get(job.project_id) as ProjectRecord;
        return {
          ...presentListedJobBasics(job, call),
          project: presentProjectIdentity(project, call),
        };
      });
    },
  }),
];

/** Throws 404 and 403. */
function listRunnerJobs(
  context: Context,
  caller: SignedInCaller,
  { id, system_id, status, sort = "desc" }: Static<typeof ListRunnerJobs>,
  page: PageRequest,
): Page<CiJobRecord> {
  const { store } = context;
  const access = context.get(Access);
  const runner = getRunner(context, caller, id);
  const where: Condition<typeof ciJobs.indexes>[] = [{ index: "runner_id", key: runner.id }];
  if (status !== undefined) where.push({ index: "status", key: status });
  if (!caller.user.is_admin) {
    const readable = [...access.projectsWith(caller.user.id, accessLevels.reporter)];
    where.push({ anyOf: readable.map((key) => ({ index: "project_id", key })) });
  }
  const managerId = system_id === undefined ? undefined : (findManager(store, runner.id, system_id)?.id ?? 0);
  const matches = ({ project_id, runner_manager_id }: CiJobRecord) => {
    const project = store.of(projects).get(project_id);
    const exists = project !== undefined && !access.isBeingDeleted({ project });
    return exists && (managerId === undefined || runner_manager_id === managerId);
  };
  return store.page(ciJobs, { where, order: "id", descending: sort === "desc", page, matches });
}
