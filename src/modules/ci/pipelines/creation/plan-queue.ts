/** The queues of plans of pipelines, and of the work on their CI files. */

import type { CallerUser } from "../../../../domain/caller.ts";
import { OneAtATime } from "../../../../lib/one-at-a-time.ts";
import { ReaderQueue } from "../../../../lib/reader-queue.ts";
import type { Context } from "../../../kernel/context.ts";
import { serviceKey } from "../../../kernel/service.ts";

const unlimited = Number.POSITIVE_INFINITY;

/** Plans of pipelines hold lists of files, texts and what these stand for until they are done, so few are made at a time. */
export const PlanQueue = serviceKey("plan-queue", () => {
  const running = { running: 4, runningStrangers: 4, runningOfName: 2 };
  const waiting = { open: unlimited, openStrangers: unlimited, openOfName: unlimited, waitMsMax: unlimited };
  return new ReaderQueue({ ...running, ...waiting }, () => new Error("the queue of plans has no limit"));
});

/** The work on the CI files of all pipelines: many at once do not add up to one long wait of other requests. */
export const CiFileWork = serviceKey("ci-file-work", () => new OneAtATime());

/**
 * Makes a plan of a pipeline of the user when it is its turn. Its reads of repositories do not wait for room: a commit that has
 * room waits for the plan of its pipeline.
 */
export function planInTurn<R>(context: Context, user: CallerUser, plan: () => Promise<R>): Promise<R> {
  const queue = context.get(PlanQueue);
  return queue.run({ name: String(user.id), isStranger: false }, () => context.repositories.withoutWaiting(plan));
}
