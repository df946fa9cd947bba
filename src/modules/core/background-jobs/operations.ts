import { mapPage } from "../../../domain/page.ts";
import { noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentJob } from "./present.ts";
import { Job, JobParams, ListJobs } from "./schema.ts";
import { deleteJob, listJobs, retryJob } from "./service.ts";

export const jobOperations = [
  operation({
    method: "GET",
    path: "/-/jobs",
    root: true,
    summary: "List background jobs",
    who: "administrator",
    params: ListJobs,
    answer: pageOf(Job),
    handle({ context, params, page }) {
      return mapPage(listJobs(context.store, params, page), presentJob);
    },
  }),
  operation({
    method: "POST",
    path: "/-/jobs/:id/retry",
    root: true,
    summary: "Start a background job that has failed again",
    who: "administrator",
    params: JobParams,
    answer: ok(Job),
    failures: ["invalid"],
    handle({ context, params }) {
      return presentJob(retryJob(context, params.id));
    },
  }),
  operation({
    method: "DELETE",
    path: "/-/jobs/:id",
    root: true,
    summary: "Forget a background job that has failed",
    who: "administrator",
    params: JobParams,
    answer: noContent(),
    failures: ["invalid"],
    handle({ context, params, unmodifiedSince }) {
      deleteJob(context, params.id, unmodifiedSince);
    },
  }),
];
