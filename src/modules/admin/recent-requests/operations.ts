import { mapPage } from "../../../domain/page.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentRecentRequest } from "./present.ts";
import { ListRecentRequests, RecentRequestEntity } from "./schema.ts";
import { listRecentRequests } from "./service.ts";

export const recentRequestOperations = [
  operation({
    method: "GET",
    path: "/-/requests",
    root: true,
    summary: "List the last 2,000 requests, newest first",
    who: "administrator",
    params: ListRecentRequests,
    answer: pageOf(RecentRequestEntity, { isOutsideStore: true }),
    handle(call) {
      const { context, params, page } = call;
      return mapPage(listRecentRequests(context, params, page), (request) => presentRecentRequest(request, call));
    },
  }),
];
