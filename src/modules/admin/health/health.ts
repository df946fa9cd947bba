/** The checks of the health operations. */

import { type Static, Type } from "@sinclair/typebox";
import { Failure } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";

const Check = { status: Type.Union([Type.Literal("ok"), Type.Literal("failed")]) };

/** The health checks, for administrators. */
export const Checks = Type.Object(
  {
    disk: Type.Object({ ...Check, free_bytes: Type.Union([Type.Integer(), Type.Null()]) }),
    journal: Type.Object({ ...Check, bytes: Type.Integer(), transactions_on_disk: Type.Integer() }),
    search: Type.Object({ status: Type.Union([Type.Literal("ok"), Type.Literal("building")]) }),
  },
  { $id: "HealthChecks" },
);

/** Seconds after which it makes sense to ask again. */
const retryAfterSeconds = 5;

export function checksOf(store: Store): Static<typeof Checks> {
  const refusal = store.writeRefusal();
  const { journalBytes, durableSequence, freeBytes } = store.statistics();
  const isFull = refusal === "no space for writes";
  return {
    disk: { status: isFull ? "failed" : "ok", free_bytes: freeBytes ?? null },
    journal: {
      status: refusal === undefined || isFull ? "ok" : "failed",
      bytes: journalBytes,
      transactions_on_disk: durableSequence,
    },
    search: { status: store.isSearchReady ? "ok" : "building" },
  };
}

/** Throws 503 with what is wrong, and with `checks` as well where there are any. */
export function requireWritableStore(store: Store, checks: Static<typeof Checks> | undefined): void {
  const refusal = store.writeRefusal();
  if (refusal === undefined) return;
  throw notReady(refusal, checks);
}

export function notReady(reason: string, checks?: Static<typeof Checks>): Failure {
  const body = { message: `503 Service Unavailable - ${reason}`, reasons: [reason], ...(checks && { checks }) };
  return new Failure("unavailable", body, { retryAfterSeconds });
}
