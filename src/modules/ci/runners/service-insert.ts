import { toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { GivenAttributes } from "./attributes.ts";
import { type RunnerRecord, runners } from "./records.ts";

/** The projects or the group that a runner serves. */
export type RunnerScope = Pick<RunnerRecord, "runner_type" | "group_id" | "project_ids">;

/** A new runner without a contact yet. */
export function insertRunner(
  tx: Transaction,
  { clock }: Context,
  token: string,
  fields: RunnerScope & GivenAttributes & Pick<RunnerRecord, "creator_id">,
): RunnerRecord {
  const now = toDateTime(clock.now());
  return tx.insert(runners, {
    id: tx.nextId("runners"),
    digest: digestOf(token),
    ...fields,
    created_at: now,
    updated_at: now,
    contacted_at: null,
  });
}
