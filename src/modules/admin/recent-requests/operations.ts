import { Type } from "@sinclair/typebox";
import { notFound } from "../../../domain/failure.ts";
import { idInPath } from "../../../domain/parameters.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { presentRecentRequest, presentRecentRequestDetails } from "./present.ts";
import { RecentRequests } from "./ring.ts";
import { ListRecentRequests, RecentRequest, RecentRequestDetails } from "./schema.ts";
import { listRecentRequests } from "./service.ts";

/** The request inspector (console 2). */
export const recentRequestOperations = [
  operation({
    method: "GET",
    path: "/-/requests",
    root: true,
    summary: "List the last 2,000 requests",
    who: "administrator",
    params: ListRecentRequests,
    answer: ok(Type.Array(RecentRequest)),
    handle(call) {
      return listRecentRequests(call.context, call.params).map((entry) => presentRecentRequest(entry, call));
    },
  }),

  operation({
    method: "GET",
    path: "/-/requests/:id",
    root: true,
    summary: "Get one of the last requests, with why it was refused",
    who: "administrator",
    params: Type.Object({ id: idInPath("the `id` of the list") }),
    answer: ok(RecentRequestDetails),
    failures: ["not_found"],
    async handle(call) {
      await call.context.loadOperations();
      const entry = call.context.get(RecentRequests).find(call.params.id);
      if (entry === undefined) throw notFound("Request");
      return presentRecentRequestDetails(entry, call);
    },
  }),
];
