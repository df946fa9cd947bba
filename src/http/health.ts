import type { AnyElysia } from "elysia";
import type { Context } from "../modules/context.ts";
import { respondJson } from "./answers.ts";
import { exchangeOf } from "./exchange.ts";

/**
 * `/-/liveness`: the process answers. `/-/readiness` and `/-/health`: it takes writes too; otherwise 503, and the
 * body says what is wrong. None of them needs credentials.
 */
export function mountHealth(app: AnyElysia, context: Context): void {
  app.get("/-/liveness", ({ request }) => respondJson(exchangeOf(request), 200, { status: "ok" }));
  for (const path of ["/-/health", "/-/readiness"]) {
    app.get(path, ({ request }) => {
      const isWritable = context.store.isWritable();
      const body = { status: isWritable ? "ok" : "failed", store: isWritable ? "ok" : "no space for writes" };
      return respondJson(exchangeOf(request), isWritable ? 200 : 503, body);
    });
  }
}
