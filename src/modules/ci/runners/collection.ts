import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, type Store, unique } from "../../../store/index.ts";

export const runnerTypes = ["instance_type", "group_type", "project_type"] as const;
type RunnerType = (typeof runnerTypes)[number];
export const runnerAccessLevels = ["not_protected", "ref_protected"] as const;

/** Takes jobs and runs them elsewhere (triggers-and-pipelines 5). The token itself is nowhere: only its digest is kept. */
export interface RunnerRecord {
  readonly id: number;
  readonly digest: string;
  readonly runner_type: RunnerType;
  /** Of `group_type`: whose tree it serves. */
  readonly group_id: number | null;
  /** Of `project_type`: what it serves. */
  readonly project_ids: readonly number[];
  readonly description: string | null;
  readonly maintenance_note: string | null;
  readonly paused: boolean;
  /** No other project may take it over. */
  readonly locked: boolean;
  readonly run_untagged: boolean;
  /** Sorted, without doubles. */
  readonly tag_list: readonly string[];
  /** Kept and shown; no ref is protected here, so that it keeps no job away. */
  readonly access_level: (typeof runnerAccessLevels)[number];
  /** Seconds; null: that of the project. */
  readonly maximum_timeout: number | null;
  readonly creator_id: number | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly contacted_at: DateTime | null;
}

export const runners = collection<RunnerRecord>()("runners", {
  digest: unique((runner) => runner.digest),
  group_id: multi(({ group_id: id }) => (id === null ? [] : [id])),
  project_id: multi((runner) => runner.project_ids),
  type: bitmap((runner) => [runner.runner_type]),
  paused: bitmap((runner) => [runner.paused]),
  tag: multi((runner) => runner.tag_list),
  /** Empty for those that were never heard of. */
  contacted_at: ordered((runner) => runner.contacted_at ?? ""),
  created_at: ordered((runner) => runner.created_at),
  id: ordered((runner) => runner.id),
});

/** One document, id 1: what runners of the installation are registered with. Only its digest is kept. */
export interface RegistrationRecord {
  readonly id: 1;
  readonly digest: string;
}

export const runnerRegistrations = collection<RegistrationRecord>()("runner-registrations", {});

/** What a runner says of itself. */
export interface RunnerInfo {
  readonly version: string;
  readonly revision: string;
  readonly platform: string;
  readonly architecture: string;
}

/** A machine that asks with a runner's token. */
export interface RunnerManagerRecord extends RunnerInfo {
  readonly id: number;
  readonly runner_id: number;
  /** Its own name for itself; empty where it has none. */
  readonly system_id: string;
  readonly ip_address: string;
  readonly created_at: DateTime;
  readonly contacted_at: DateTime;
}

export const runnerManagers = collection<RunnerManagerRecord>()("runner-managers", {
  identity: unique((manager) => managerKey(manager.runner_id, manager.system_id)),
  runner_id: multi((manager) => [manager.runner_id]),
  contacted_at: ordered((manager) => manager.contacted_at),
  version: ordered((manager) => manager.version),
});

export function findManager(store: Store, runnerId: number, systemId: string): RunnerManagerRecord | undefined {
  const documents = store.of(runnerManagers);
  return documents.get(documents.by.identity.find(managerKey(runnerId, systemId)) ?? 0);
}

function managerKey(runnerId: number, systemId: string): string {
  return `${runnerId} ${systemId}`;
}
