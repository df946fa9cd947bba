import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { TreePlace } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import { projectSettingsOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type CiJobRecord, ciJobs } from "../pipelines/records-jobs.ts";
import type { RunnerRecord } from "../runners/records.ts";

/** Places of tags that one look visits in a project, so that none keeps runners busy with combinations of their tags. */
const placesMax = 2_000;
const placeSteps = 10;
const servingSteps = 100;

/**
 * The oldest pending job that a runner may take. This walks only lines whose tags the runner has, of protected refs if it
 * takes no others, and only in its own projects if it has some, and looks at each once, however many jobs there are.
 */
export function findOldestJobFor(
  context: Context,
  runner: RunnerRecord,
  { jobAgeSeconds }: { readonly jobAgeSeconds: number },
): CiJobRecord | undefined {
  if (runner.paused) return undefined;
  const isOldEnough = ageCheck(context, jobAgeSeconds);
  const documents = context.store.of(ciJobs);
  const { places } = documents.by.line;
  const projectIds = runner.runner_type === "project_type" ? runner.project_ids : (places.keys() as Iterable<number>);
  // A group has few of the projects with waiting jobs: those of others may have thousands of lines.
  const isServedFirst = runner.group_id !== null;
  let oldest = Number.POSITIVE_INFINITY;
  for (const projectId of projectIds) {
    spend(placeSteps);
    const lines = places.get(projectId);
    if (lines === undefined || (isServedFirst && !serves(context, runner, projectId))) continue;
    const first = findOldestIn(linesFor(runner, lines), runner, isOldEnough);
    if (first < oldest && (isServedFirst || serves(context, runner, projectId))) oldest = first;
  }
  return documents.get(oldest);
}

/** The lines of a project whose jobs a runner may take: those of protected refs, and unless it takes only these, the others. */
function linesFor({ access_level }: RunnerRecord, ofProject: TreePlace): TreePlace[] {
  const kinds = access_level === "ref_protected" ? [true] : [true, false];
  return kinds.flatMap((isProtected) => ofProject.next?.get(isProtected) ?? []);
}

/** The id of the oldest job below the lines whose tags the runner has; infinite if there is none. */
function findOldestIn(
  lines: readonly TreePlace[],
  { run_untagged, tag_list }: RunnerRecord,
  isOldEnough: (id: number) => boolean,
): number {
  const tags = tag_list.toSorted();
  const visits = lines.map((place) => ({ place, known: 0 }));
  let oldest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < Math.min(visits.length, placesMax); at += 1) {
    const { place, known } = visits[at] as (typeof visits)[number];
    spend(placeSteps + tags.length - known);
    oldest = Math.min(
      oldest,
      firstOf((at >= lines.length || run_untagged ? place.ids : undefined) ?? [], isOldEnough) ?? oldest,
    );
    if (place.next === undefined) continue;
    for (let next = known; next < tags.length; next += 1) {
      const further = place.next.get(tags[next] as string);
      if (further !== undefined) visits.push({ place: further, known: next + 1 });
    }
  }
  return oldest;
}

/** Jobs of one line that a look checks for their age: those with lower ids are older, but for few that were retried or played. */
const agedMax = 20;

function firstOf(ids: Iterable<number>, isOldEnough: (id: number) => boolean): number | undefined {
  let looks = 0;
  for (const id of ids) {
    if (isOldEnough(id)) return id;
    looks += 1;
    if (looks === agedMax) return undefined;
  }
  return undefined;
}

/** Whether a job has waited for as long as a runner wants: spare runners leave new jobs to others. */
function ageCheck({ store, clock }: Context, jobAgeSeconds: number): (id: number) => boolean {
  if (jobAgeSeconds <= 0) return () => true;
  const documents = store.of(ciJobs);
  const latest = clock.now() - jobAgeSeconds * 1000;
  return (id) => {
    spend(documentSteps);
    const { queued_at, created_at } = documents.get(id) as CiJobRecord;
    return Date.parse(queued_at ?? created_at) <= latest;
  };
}

function serves(context: Context, runner: RunnerRecord, projectId: number): boolean {
  const { store } = context;
  spend(servingSteps);
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
