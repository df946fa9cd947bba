import type { Caller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Store } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { recordRunnerEvent } from "./audit.ts";
import { type RunnerRecord, runners } from "./records.ts";

/** A record, and its token, which is shown once and not stored. */
export interface RunnerWithToken {
  readonly runner: RunnerRecord;
  readonly token: string;
}

const tokenPrefix = "glrt-";
const tokenRandomLength = 20;

export function generateRunnerToken({ randomness }: Pick<Context, "randomness">): string {
  return `${tokenPrefix}${randomness.token(tokenRandomLength)}`;
}

/** The runner that a token as sent belongs to. Throws 403. */
export function getRunnerByToken(store: Store, token: string): RunnerRecord {
  const documents = store.of(runners);
  const runner = documents.get(documents.by.digest.find(digestOf(token)) ?? 0);
  if (runner === undefined) throw forbidden();
  return runner;
}

/** Another token in the place of the runner's, which is good for nothing from now on. */
export function resetRunnerToken(context: Context, caller: Caller, runner: RunnerRecord): RunnerWithToken {
  const token = generateRunnerToken(context);
  const updated_at = toDateTime(context.clock.now());
  return context.store.transact((tx) => {
    recordRunnerEvent(tx, context, caller, runner, "ci_runner_token_reset");
    return { runner: tx.update(runners, { ...runner, digest: digestOf(token), updated_at }), token };
  });
}
