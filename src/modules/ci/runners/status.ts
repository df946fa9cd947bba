/** The status of a runner, which follows from its contacts. */

import type { Clock } from "../../../domain/clock.ts";
import { dayMs, toDateTime } from "../../../lib/datetime.ts";
import type { Condition } from "../../../store/index.ts";
import type { runners } from "./records.ts";

export const runnerStatuses = ["online", "offline", "stale", "never_contacted"] as const;
export type RunnerStatus = (typeof runnerStatuses)[number];

const onlineMs = 2 * 60 * 60 * 1000;
const staleMs = 7 * dayMs;

interface Contacts {
  readonly created_at: string;
  readonly contacted_at: string | null;
}

/** Returns the status by the last contact: within two hours, within a week, or longer ago; new ones may have none yet. */
export function statusOf({ created_at, contacted_at }: Contacts, clock: Clock): RunnerStatus {
  const now = clock.now();
  if (now - Date.parse(contacted_at ?? created_at) >= staleMs) return "stale";
  if (contacted_at === null) return "never_contacted";
  return now - Date.parse(contacted_at) < onlineMs ? "online" : "offline";
}

type Where = Condition<typeof runners.indexes>;

/** The runners that have a status now. */
export function whereStatus(status: RunnerStatus, clock: Clock): Where[] {
  const before = (ms: number) => toDateTime(clock.now() - ms);
  switch (status) {
    case "online":
      return [{ index: "contacted_at", from: before(onlineMs - 1), to: undefined }];
    case "offline":
      return [{ index: "contacted_at", from: before(staleMs - 1), to: before(onlineMs) }];
    case "never_contacted":
      return [neverContacted, { index: "created_at", from: before(staleMs - 1), to: undefined }];
    case "stale":
      return [
        { index: "created_at", from: undefined, to: before(staleMs) },
        { index: "contacted_at", from: undefined, to: before(staleMs) },
      ];
  }
}

const neverContacted: Where = { index: "contacted_at", from: "", to: "" };
