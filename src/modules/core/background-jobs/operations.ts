import { mapPage } from "../../../domain/page.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentJob } from "./present.ts";
import { Job, ListJobs } from "./schema.ts";
import { listJobs } from "./service.ts";

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
];
