import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { noContent, operation, pageOf } from "../../kernel/operation.ts";
import { presentRequest } from "./present.ts";
import { ListRequests, RequestEntity } from "./schema.ts";
import { deleteRequests, exportRequests, listRequests } from "./service.ts";

const ofSandbox = { root: true, who: "administrator_first", http: { partOf: "sandbox" } } as const;

/** sandbox 5 */
export const requestOperations = [
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/requests",
    summary: "List the last requests with their answers, newest first",
    params: ListRequests,
    answer: pageOf(RequestEntity, { isOutsideStore: true }),
    handle({ context, params: { format = "json", ...filter }, page }) {
      if (format === "har") return exportRequests(context, filter);
      return mapPage(listRequests(context, filter, page), presentRequest);
    },
  }),
  operation({
    ...ofSandbox,
    method: "DELETE",
    path: "/-/sandbox/requests",
    summary: "Forget the last requests",
    params: Type.Object({}),
    answer: noContent(),
    handle({ context }) {
      deleteRequests(context);
    },
  }),
];
