import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { mapPage } from "../../../../domain/page.ts";
import { list, oneOf, optional, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { created, ok, operation, pageOf } from "../../../kernel/operation.ts";
import { requireBuildReader } from "../policy.ts";
import { type CiJobRecord, ciJobs } from "../records-jobs.ts";
import { CancelJob, CiJob, JobInPath, PlayJob } from "../schema.ts";
import { statuses } from "../status.ts";
import { presentCiJob, presentListedJob } from "./present.ts";
import { cancelCiJob, eraseCiJob, getCiJob, getJobOrBridge, listCiJobs, playCiJob, retryCiJob } from "./service.ts";

const path = "/projects/:id/jobs";
const onePath = `${path}/:job_id`;

/** triggers-and-pipelines 4. */
export const ciJobOperations = [
  operation({
    method: "GET",
    path: "/job",
    summary: "Get the job of a job token",
    who: "job",
    params: Type.Object({}),
    answer: ok(CiJob),
    handle(call) {
      const { context, caller } = call;
      return presentCiJob(context.store.of(ciJobs).get(caller.job.id) as CiJobRecord, call);
    },
  }),

  operation({
    method: "GET",
    path,
    summary: "List the jobs of a project",
    who: inProject(accessLevels.none),
    takesJobToken: "builds",
    params: Type.Object({
      id: projectId(),
      scope: optional(list(oneOf(statuses), { description: "statuses" })),
      order_by: optional(text({ description: "of keyset pages: id" })),
      sort: optional(text({ description: "of keyset pages: desc" })),
    }),
    answer: pageOf(CiJob, {
      keyset: { orders: [{ orderBy: "id", sort: ["desc"] }], defaults: { orderBy: "id", sort: "desc" } },
    }),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireBuildReader(context, caller, project);
      return mapPage(listCiJobs(context.store, project, params, page), (job) => presentListedJob(job, call));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a job",
    who: inProject(accessLevels.none),
    params: JobInPath,
    answer: ok(CiJob),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireBuildReader(context, caller, project);
      return presentCiJob(getCiJob(context.store, project, params.job_id), call);
    },
  }),

  operation({
    method: "POST",
    path: `${onePath}/cancel`,
    summary: "Cancel a job",
    who: inProject(accessLevels.developer),
    params: CancelJob,
    answer: created(CiJob),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      const job = getCiJob(context.store, project, params.job_id);
      return presentCiJob(cancelCiJob(context, caller, job, project, { isForced: params.force }), call);
    },
  }),
  actionOperation("retry", "Retry a job", retryCiJob),
  actionOperation("erase", "Erase the log and artifacts of a job", eraseCiJob),

  operation({
    method: "POST",
    path: `${onePath}/play`,
    summary: "Run a manual or delayed job",
    who: inProject(accessLevels.developer),
    params: PlayJob,
    answer: ok(CiJob),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const given = params.job_variables_attributes ?? [];
      const variables = given.map((variable) => ({ variable_type: "env_var" as const, ...variable }));
      const job = playCiJob(context, caller, getJobOrBridge(context.store, project, params.job_id), project, variables);
      return presentCiJob(job, call);
    },
  }),
];

function actionOperation(
  action: "retry" | "erase",
  summary: string,
  act: (context: Context, caller: SignedInCaller, job: CiJobRecord, project: ProjectRecord) => CiJobRecord,
) {
  return operation({
    method: "POST",
    path: `${onePath}/${action}`,
    summary,
    who: inProject(accessLevels.developer),
    params: JobInPath,
    answer: created(CiJob),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      const get = action === "retry" ? getJobOrBridge : getCiJob;
      const job = act(context, caller, get(context.store, project, params.job_id), project);
      return presentCiJob(job, call);
    },
  });
}
