import { accessLevels } from "../../../../src/domain/access-level.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { groups } from "../../../../src/modules/groups-and-projects/groups/records.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { memberships } from "../../../../src/modules/members/members/records.ts";
import { labelPriorities, labels } from "../../../../src/modules/planning/labels/records.ts";
import { milestones } from "../../../../src/modules/planning/milestones/records.ts";
import { insertCrowd } from "../../../support/fixtures/crowd.ts";
import { putGroup, putProject } from "../../../support/fixtures/places.ts";
import type { World } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import type { Place } from "../../matrix/scene.ts";

/** Of each kind: as many as an ordinary user makes in a minute. */
const thousands = 3_000;
const words = (at: number) => `${"abcdefghijklmnopqrstuvwxyz".at(at % 26)} word${at} planted ${at % 7}`;
const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10);

/** Fills a place with thousands of everything that a query could multiply. */
export function plant(world: World, { groupId, projectId }: Place): void {
  const { store, clock } = world;
  const stamp = { created_at: clock.time(), updated_at: clock.time() };
  insertCrowd(world, thousands);
  const crowd = [...store.of(users).by.id.between(undefined, undefined)].slice(-thousands);
  const source = { source_type: "project", source_id: projectId } as const;
  store.transact((tx) => {
    for (const user_id of crowd) {
      tx.insert(memberships, {
        ...{ id: tx.nextId("memberships"), source_type: "group", source_id: groupId, user_id, ...stamp },
        ...{ access_level: accessLevels.guest, state: "active", expires_at: null, created_by_id: null },
      });
    }
  });
  const labelIds: number[] = [];
  const milestoneIds: number[] = [];
  store.transact((tx) => {
    for (let at = 0; at < thousands; at += 1) {
      const label = { ...source, title: words(at), description: words(at), color: "#FF0000", ...stamp };
      const { id } = tx.insert(labels, { id: tx.nextId("labels"), ...label });
      tx.insert(labelPriorities, {
        ...{ id: tx.nextId("label_priorities"), label_id: id, project_id: projectId, priority: at },
      });
      labelIds.push(id);
    }
  });
  store.transact((tx) => {
    for (let at = 0; at < thousands; at += 1) {
      const milestone = { ...source, title: words(at), description: words(at), state: "active", ...stamp } as const;
      const iid = tx.nextId(`milestones of project ${projectId}`);
      const dates = { start_date: null, due_date: day(at) };
      milestoneIds.push(tx.insert(milestones, { id: tx.nextId("milestones"), iid, ...milestone, ...dates }).id);
    }
  });
  const [first] = addIssues(
    world,
    projectId,
    Array.from({ length: thousands }, (_, at) => ({
      title: words(at),
      description: words(at * 31),
      label_ids: labelIds.slice(at % 100, (at % 100) + 20),
      milestone_id: milestoneIds[at] ?? null,
      weight: at,
      due_date: day(at),
    })),
  );
  store.transact((tx) => {
    for (let at = 0; at < thousands; at += 1) {
      tx.insert(notes, {
        ...{ id: tx.nextId("notes"), noteable_type: "Issue", noteable_id: first?.id ?? 0, author_id: 1 },
        ...{ body: words(at), system: false, internal: false, ...stamp },
      });
    }
  });
  const group = store.of(groups).get(groupId);
  const project = store.of(projects).get(projectId);
  for (let at = 0; at < thousands / 10; at += 1) {
    const below = putGroup(world, { parent_id: groupId, visibility: group?.visibility ?? "public" });
    putProject(world, below.id, { visibility: project?.visibility ?? "public" });
  }
}
