import { dayMs } from "../../lib/datetime.ts";
import { digestOf } from "../../lib/token-digest.ts";
import { recordRunnerEvent } from "../../modules/ci/runners/index.ts";
import { type RunnerRecord, runnerManagers, runners } from "../../modules/ci/runners/records.ts";
import type { Organisation, Person } from "../organisation.ts";
import { managerVersion } from "../vocabulary/job-logs.ts";

/** A machine and its runner. */
export interface SeededRunner {
  readonly runner: RunnerRecord;
  readonly managerId: number;
  /** The path of the group or project that it serves; undefined for the whole instance. */
  readonly serves: string | undefined;
}

type Wanted = Pick<RunnerRecord, "runner_type" | "group_id" | "project_ids" | "description"> & {
  readonly creator: Person;
  readonly since: number;
  readonly serves: string | undefined;
};

/** Creates the runners: one of a group, one of a project, one of the instance. Their tokens are not recorded. */
export function seedRunners(organisation: Organisation): SeededRunner[] {
  const { context, writing, from, until } = organisation;
  const group = organisation.group("skylark/firmware");
  const project = organisation.project("skylark/data/wind-atlas");
  const common = {
    paused: false,
    locked: false,
    run_untagged: true,
    tag_list: [],
    access_level: "not_protected",
  } as const;
  const wanted: readonly Wanted[] = [
    {
      ...{ runner_type: "group_type", group_id: group.record.id, project_ids: [], description: "test roof" },
      ...{ creator: group.founder, since: group.since, serves: group.path },
    },
    {
      ...{ runner_type: "project_type", group_id: null, project_ids: [project.record.id], description: "maps" },
      ...{ creator: project.founder, since: project.since, serves: project.path },
    },
    {
      ...{ runner_type: "instance_type", group_id: null, project_ids: [], description: "harbour-1" },
      ...{ creator: organisation.person("mara.quist"), since: from + 25 * dayMs, serves: undefined },
    },
  ];
  return wanted.map(({ creator, since, serves, ...place }, at) => {
    const now = organisation.at(since + dayMs / 2);
    const contacted_at = organisation.exactly(until - (3 + at) * 60_000);
    const runner = writing.insert(runners, {
      ...common,
      ...place,
      id: writing.nextId("runners"),
      digest: digestOf(`glrt-${context.randomness.token(20)}`),
      maintenance_note: null,
      maximum_timeout: null,
      creator_id: creator.user.id,
      created_at: now,
      updated_at: now,
      contacted_at,
    });
    organisation.at(since + dayMs / 2);
    recordRunnerEvent(writing, context, creator.caller, runner, "ci_runner_created");
    const manager = writing.insert(runnerManagers, {
      id: writing.nextId("runner_managers"),
      runner_id: runner.id,
      system_id: `s_${runner.id}0c4f`,
      ...managerVersion,
      ip_address: `192.0.2.${20 + at}`,
      created_at: now,
      contacted_at,
    });
    return { runner, managerId: manager.id, serves };
  });
}
