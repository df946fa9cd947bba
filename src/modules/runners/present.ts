import type { Clock } from "../../domain/clock.ts";
import { dayMs } from "../../domain/datetime.ts";
import type { Context } from "../context.ts";
import { fullPathOf, groups, projectPathOf } from "../namespaces/index.ts";
import { projectsOf } from "./change.ts";
import { type RunnerManagerRecord, type RunnerRecord, runnerManagers, runners } from "./collection.ts";

const onlineMs = 2 * 60 * 60 * 1000;
const staleMs = 7 * dayMs;

function statusOf({ contacted_at }: { readonly contacted_at: string | null }, clock: Clock): string {
  if (contacted_at === null) return "never_contacted";
  const silentMs = clock.now() - Date.parse(contacted_at);
  if (silentMs < onlineMs) return "online";
  return silentMs < staleMs ? "offline" : "stale";
}

/** A runner in lists and in jobs; `ip_address` is empty and `active` stays, as seed 9 has it for this version. */
export function presentRunner(runner: RunnerRecord, { clock }: Pick<Context, "clock">) {
  const { id, description, paused, runner_type, created_at } = runner;
  const status = statusOf(runner, clock);
  return {
    id,
    description,
    ip_address: "",
    active: !paused,
    paused,
    is_shared: runner_type === "instance_type",
    runner_type,
    name: null,
    online: status === "never_contacted" ? null : status === "online",
    created_at,
    status,
  };
}

/** With what it serves, for who may change it. */
export function presentRunnerDetails(runner: RunnerRecord, context: Context, baseUrl: string) {
  const { store } = context;
  const { tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note, contacted_at } = runner;
  const group = store.of(groups).get(runner.group_id ?? 0);
  return {
    ...presentRunner(runner, context),
    ...{ tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note, contacted_at },
    projects: projectsOf(context, runner).map((project) => {
      const path_with_namespace = projectPathOf(store, project);
      const { id, name, path } = project;
      return { id, name, path, path_with_namespace, web_url: `${baseUrl}/${path_with_namespace}` };
    }),
    groups:
      group === undefined
        ? []
        : [{ id: group.id, name: group.name, web_url: `${baseUrl}/groups/${fullPathOf(store, group.id)}` }],
  };
}

function presentRunnerManager(manager: RunnerManagerRecord, { clock }: Pick<Context, "clock">) {
  const { runner_id: _, ...shown } = manager;
  return { ...shown, status: statusOf(manager, clock) };
}

/** Who took a job; null where nobody did, or who did is gone. */
export function presentTakers(context: Context, runnerId: number | undefined, managerId: number | undefined) {
  const { store } = context;
  const runner = store.of(runners).get(runnerId ?? 0);
  const manager = store.of(runnerManagers).get(managerId ?? 0);
  return {
    runner: runner === undefined ? null : presentRunner(runner, context),
    runner_manager: manager === undefined ? null : presentRunnerManager(manager, context),
  };
}
