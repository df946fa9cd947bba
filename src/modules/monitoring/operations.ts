import { Type } from "@sinclair/typebox";
import { isFromThisMachine } from "../../domain/caller.ts";
import { Failure, forbidden, unauthenticated } from "../../domain/failure.ts";
import type { Store } from "../../store/index.ts";
import { file, ok, operation } from "../operation.ts";

const Health = Type.Object({ status: Type.Literal("ok") }, { $id: "Health" });

function refuseUnlessWritable(store: Store): void {
  if (!store.isWritable()) {
    throw new Failure(
      "unavailable",
      { message: "503 Service Unavailable - no space for writes" },
      { retryAfterSeconds: 5 },
    );
  }
}

/** Whether the server answers, and whether it takes writes. None of it needs credentials. */
export const monitoringOperations = [
  ...["/-/health", "/-/readiness"].map((path) =>
    operation({
      method: "GET",
      path,
      root: true,
      summary: "Whether writes are taken; says what is wrong otherwise",
      who: "anyone",
      scopes: "any",
      params: Type.Object({}),
      answer: ok(Health),
      handle({ context }) {
        refuseUnlessWritable(context.store);
        return { status: "ok" };
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/-/liveness",
    root: true,
    summary: "Whether the process answers",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: ok(Health),
    handle: () => ({ status: "ok" }),
  }),

  operation({
    method: "GET",
    path: "/-/metrics",
    root: true,
    summary: "Figures in the text format of Prometheus, for this machine and administrators",
    who: "anyone",
    params: Type.Object({}),
    answer: file({ maxAgeS: 0 }),
    async handle({ context, caller }) {
      if (!isFromThisMachine(caller) && caller.user?.is_admin !== true) {
        throw caller.user === undefined ? unauthenticated() : forbidden();
      }
      return { contentType: "text/plain; version=0.0.4; charset=utf-8", content: await context.metrics.render() };
    },
  }),
];
