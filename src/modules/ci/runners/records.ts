import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  type Store,
  unique,
} from "../../../store/index.ts";

export const runnerTypes = ["instance_type", "group_type", "project_type"] as const;
export const runnerAccessLevels = ["not_protected", "ref_protected"] as const;

/** Takes jobs and runs them elsewhere (triggers-and-pipelines 5). Only the digest of its token is stored. */
export const RunnerRecord = record({
  id: field.whole,
  digest: field.text,
  runner_type: field.oneOf(...runnerTypes),
  /** The group whose tree a `group_type` runner serves. */
  group_id: field.nullable(field.whole),
  /** The projects that a `project_type` runner serves. */
  project_ids: field.listOf(field.whole),
  description: field.nullable(field.text),
  maintenance_note: field.nullable(field.text),
  paused: field.flag,
  /** No other project may use it. */
  locked: field.flag,
  run_untagged: field.flag,
  /** Sorted, without doubles. */
  tag_list: field.listOf(field.text),
  /** With `ref_protected`, it takes only jobs of protected refs. */
  access_level: field.oneOf(...runnerAccessLevels),
  /** Seconds; null: that of the project. */
  maximum_timeout: field.nullable(field.whole),
  creator_id: field.nullable(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
  contacted_at: field.nullable(field.moment),
});
export type RunnerRecord = RecordOf<typeof RunnerRecord>;

export const runners = collection("runners", RunnerRecord, {
  indexes: {
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
  },
  secrets: { digest: "renew" },
  references: { group_id: "groups", project_ids: "projects" },
});

/** One document, id 1: the token that registers runners of the instance. Only its digest is stored. */
export const RegistrationTokenRecord = record({
  id: field.oneOf(1),
  digest: field.text,
});
export type RegistrationTokenRecord = RecordOf<typeof RegistrationTokenRecord>;

export const runnerRegistrationTokens = collection("runner-registration-tokens", RegistrationTokenRecord, {
  secrets: { digest: "renew" },
});

/** The fields that a runner reports about itself. */
export const RunnerInfo = field.object({
  version: field.text,
  revision: field.text,
  platform: field.text,
  architecture: field.text,
});
export type RunnerInfo = RecordOf<typeof RunnerInfo>;

/** A machine that asks with a runner's token. */
export const RunnerManagerRecord = record({
  ...RunnerInfo.properties,
  id: field.whole,
  runner_id: field.whole,
  /** Its own name for itself; empty where it has none. */
  system_id: field.text,
  ip_address: field.text,
  created_at: field.moment,
  contacted_at: field.moment,
});
export type RunnerManagerRecord = RecordOf<typeof RunnerManagerRecord>;

export const runnerManagers = collection("runner-managers", RunnerManagerRecord, {
  indexes: {
    identity: unique((manager) => managerKey(manager.runner_id, manager.system_id)),
    runner_id: multi((manager) => [manager.runner_id]),
    contacted_at: ordered((manager) => manager.contacted_at),
    version: ordered((manager) => manager.version),
  },
  references: { runner_id: "runners" },
});

export function findManager(store: Store, runnerId: number, systemId: string): RunnerManagerRecord | undefined {
  const documents = store.of(runnerManagers);
  return documents.get(documents.by.identity.find(managerKey(runnerId, systemId)) ?? 0);
}

function managerKey(runnerId: number, systemId: string): string {
  return `${runnerId} ${systemId}`;
}
