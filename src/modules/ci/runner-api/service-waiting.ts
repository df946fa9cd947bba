import { Access } from "../../core/access/index.ts";
import { projectSettingsOf, projects, selfAndAncestors } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CiJobRecord, ciJobs, readLine } from "../pipelines/index.ts";
import type { RunnerRecord } from "../runners/index.ts";

/**
 * The oldest pending job that a runner may take. Jobs of one project with the same tags wait in one line, so this looks
 * at each line once, however many jobs there are.
 */
export function findOldestJobFor(context: Context, runner: RunnerRecord): CiJobRecord | undefined {
  if (runner.paused) return undefined;
  const documents = context.store.of(ciJobs);
  let oldest: number | undefined;
  for (const key of documents.by.line.keys()) {
    const [first] = documents.by.line.find(key);
    if (first === undefined || (oldest !== undefined && first > oldest)) continue;
    const { projectId, tags } = readLine(String(key));
    if (takesTags(runner, tags) && serves(context, runner, projectId)) oldest = first;
  }
  return oldest === undefined ? undefined : documents.get(oldest);
}

function takesTags({ run_untagged, tag_list }: RunnerRecord, tags: readonly string[]): boolean {
  return tags.length === 0 ? run_untagged : tags.every((tag) => tag_list.includes(tag));
}

function serves(context: Context, runner: RunnerRecord, projectId: number): boolean {
  const { store } = context;
  const project = store.of(projects).get(projectId);
  if (project === undefined || context.get(Access).isBeingDeleted({ project })) return false;
  const { builds_access_level, shared_runners_enabled, group_runners_enabled } = projectSettingsOf(project);
  if (builds_access_level === "disabled") return false;
  switch (runner.runner_type) {
    case "instance_type":
      return shared_runners_enabled;
    case "group_type":
      return (
        group_runners_enabled && selfAndAncestors(store, project.namespace_id).some(({ id }) => id === runner.group_id)
      );
    case "project_type":
      return runner.project_ids.includes(projectId);
  }
}
