import { Type } from "@sinclair/typebox";
import { isFromThisMachine } from "../../../domain/caller.ts";
import { forbidden, unauthenticated } from "../../../domain/failure.ts";
import { file, ok, operation } from "../../kernel/operation.ts";
import { Checks, checksOf, requireWritableStore } from "./health.ts";

const Health = Type.Object({ status: Type.Literal("ok") }, { $id: "Health" });
const Readiness = Type.Object(
  { status: Type.Literal("ok"), checks: Type.Optional(Checks) },
  { $id: "Readiness", description: "`checks` for administrators" },
);

/** Whether the server answers, and whether it takes writes. None of it needs credentials. */
export const monitoringOperations = [
  ...["/-/health", "/-/readiness"].map((path) =>
    operation({
      method: "GET",
      path,
      root: true,
      summary: "Check that the server accepts writes",
      who: "anyone",
      scopes: "any",
      params: Type.Object({}),
      answer: ok(Readiness),
      handle({ context: { store }, caller }) {
        const checks = caller.user?.is_admin === true ? checksOf(store) : undefined;
        requireWritableStore(store, checks);
        return { status: "ok" as const, ...(checks && { checks }) };
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/-/liveness",
    root: true,
    summary: "Check that the process is alive",
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
    summary: "Get metrics in the Prometheus text format",
    who: "anyone",
    params: Type.Object({}),
    answer: file({ maxAgeS: 0 }),
    async handle({ context, caller }) {
      const { metrics } = context;
      const isKnown = caller.user?.is_admin === true || (metrics.isOpenLocally && isFromThisMachine(caller));
      if (!isKnown) throw caller.user === undefined ? unauthenticated() : forbidden();
      return { contentType: "text/plain; version=0.0.4; charset=utf-8", content: await metrics.render() };
    },
  }),
];
