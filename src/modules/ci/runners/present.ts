import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Store } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { fullPathOf, presentProjectIdentity } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { ciJobs, executorKey } from "../pipelines/records-jobs.ts";
import { type RunnerManagerRecord, type RunnerRecord, runnerManagers, runners } from "./records.ts";
import type { Runner, RunnerDetails, RunnerManager } from "./schema.ts";
import { canSeeRunner, projectsOf } from "./service-update.ts";
import { statusOf } from "./status.ts";

/** A runner in lists and in jobs; `ip_address` is always null, and `active` is still served. */
export function presentRunner(runner: RunnerRecord, view: View): Static<typeof Runner> {
  const { store, clock } = view.context;
  const { id, description, paused, runner_type, created_at } = runner;
  const status = statusOf(runner, clock);
  const creator = runner.creator_id === null ? undefined : findUser(store, runner.creator_id);
  return {
    id,
    description,
    ip_address: null,
    active: !paused,
    paused,
    is_shared: runner_type === "instance_type",
    runner_type,
    name: null,
    online: runner.contacted_at === null ? null : status === "online",
    ...(creator === undefined ? {} : { created_by: presentBasicUser(creator, view) }),
    created_at,
    status: paused && (status === "online" || status === "offline") ? "paused" : status,
    job_execution_status: jobExecutionStatusOf(store, "runner", id),
  };
}

function jobExecutionStatusOf(store: Store, kind: "runner" | "manager", id: number) {
  return store.of(ciJobs).by.executing.find(executorKey(kind, id)).size > 0 ? "active" : "idle";
}

/** Adds what the runner serves, as far as the caller is a member there, and what its latest machine reported of itself. */
export function presentRunnerDetails(runner: RunnerRecord, view: View): Static<typeof RunnerDetails> {
  const {
    context,
    caller: { user },
    baseUrl,
  } = view;
  const { store } = context;
  const access = context.get(Access);
  const {
    version = null,
    revision = null,
    platform = null,
    architecture = null,
  } = latestManager(context, runner) ?? {};
  const { tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note, contacted_at } = runner;
  const group = store.of(groups).get(runner.group_id ?? 0);
  return {
    ...presentRunner(runner, view),
    ...{ tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note, contacted_at },
    ...{ version, revision, platform, architecture },
    projects: projectsOf(context, runner)
      .filter((project) => user?.is_admin === true || access.levelInProject(user, project) > accessLevels.none)
      .map((project) => {
        const identity = presentProjectIdentity(project, view);
        return { ...identity, web_url: `${baseUrl}/${identity.path_with_namespace}` };
      }),
    groups:
      group === undefined || access.levelInGroup(user, group.id) === accessLevels.none
        ? []
        : [{ id: group.id, name: group.name, web_url: `${baseUrl}/groups/${fullPathOf(store, group.id)}` }],
  };
}

/** Its machines, newest first. */
export function managersOf({ store }: Context, runner: RunnerRecord): RunnerManagerRecord[] {
  const documents = store.of(runnerManagers);
  return [...documents.by.runner_id.find(runner.id)].map((id) => documents.get(id) as RunnerManagerRecord).reverse();
}

function latestManager(context: Context, runner: RunnerRecord): RunnerManagerRecord | undefined {
  let latest: RunnerManagerRecord | undefined;
  for (const manager of managersOf(context, runner)) {
    if (latest === undefined || manager.contacted_at > latest.contacted_at) latest = manager;
  }
  return latest;
}

export function presentRunnerManager(
  manager: RunnerManagerRecord,
  { context: { store, clock } }: View,
): Static<typeof RunnerManager> {
  const { runner_id: _, ...shown } = manager;
  const job_execution_status = jobExecutionStatusOf(store, "manager", manager.id);
  return { ...shown, status: statusOf(manager, clock), job_execution_status };
}

interface Taken {
  readonly runner_id?: number;
  readonly runner_manager_id?: number;
}

/**
 * Returns the runner and the machine that took a job; null where none did, or it is gone. The machine's address and its
 * own name for itself are only for users who may see the runner.
 */
export function presentTakers({ runner_id: runnerId, runner_manager_id: managerId }: Taken, view: View) {
  const {
    context,
    caller: { user },
  } = view;
  const { store } = context;
  const runner = store.of(runners).get(runnerId ?? 0);
  const manager = store.of(runnerManagers).get(managerId ?? 0);
  const isSeen = runner !== undefined && canSeeRunner(context, user, runner);
  return {
    runner: runner === undefined ? null : presentRunner(runner, view),
    runner_manager:
      manager === undefined
        ? null
        : { ...presentRunnerManager(manager, view), ...(isSeen ? {} : { system_id: null, ip_address: null }) },
  };
}
