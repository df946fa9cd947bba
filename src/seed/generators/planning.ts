import { theServer } from "../../domain/caller.ts";
import { dayMs, toCalendarDate } from "../../lib/datetime.ts";
import { nextEpicIid } from "../../modules/planning/epics/index.ts";
import { epics } from "../../modules/planning/epics/records.ts";
import { insertLabel, updatePriority } from "../../modules/planning/labels/index.ts";
import { nextIid } from "../../modules/planning/milestones/index.ts";
import { milestones } from "../../modules/planning/milestones/records.ts";
import { upsertSubscription } from "../../modules/planning/subscriptions/index.ts";
import { type Organisation, randomMember, type SeededGroup, type SeededProject } from "../organisation.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { commonLabels, epicTexts, labelColors, milestoneDescriptions, topicLabels } from "../vocabulary/planning.ts";

/** Creates labels, milestones and epics. Each group and project notes its own and those from above. */
export function* seedPlanning(organisation: Organisation): Generator<undefined> {
  const random = organisation.random("planning");
  for (const group of organisation.groups) {
    const { parent } = group;
    if (parent !== undefined) {
      group.labelIds.push(...parent.labelIds);
      group.milestones.push(...parent.milestones);
    }
    seedGroupLabels(organisation, random, group);
    if (parent === undefined && group.topic !== "docs") seedQuarters(organisation, random, group);
    seedEpics(organisation, random, group);
    yield undefined;
  }
  for (const project of organisation.projects) {
    const { group } = project;
    project.labelIds.push(...(group?.labelIds ?? []));
    project.milestones.push(...(group?.milestones ?? []));
    seedProjectLabels(organisation, random, project);
    if (project.weight >= 3 && !project.isEmpty) seedVersions(organisation, random, project);
    yield undefined;
  }
}

function seedGroupLabels(organisation: Organisation, random: SeededRandom, group: SeededGroup): void {
  const { context, writing } = organisation;
  organisation.at(group.since + dayMs);
  const source = { type: "group", id: group.record.id } as const;
  if (group.parent === undefined) {
    for (const [title, color, description] of commonLabels) {
      const label = insertLabel(writing, context, theServer, source, {
        title,
        color,
        description: description || null,
      });
      group.labelIds.push(label.id);
    }
    return;
  }
  if (group.parent.topic === group.topic && group.parent.parent !== undefined) return;
  for (const title of topicLabels[group.topic].slice(0, 3)) {
    const label = insertLabel(writing, context, theServer, source, {
      title,
      color: random.pick(labelColors),
      description: null,
    });
    group.labelIds.push(label.id);
  }
}

/** Adds the labels that no parent group has. */
function seedProjectLabels(organisation: Organisation, random: SeededRandom, project: SeededProject): void {
  const { context, writing } = organisation;
  organisation.at(project.since + dayMs);
  const source = { type: "project", id: project.record.id } as const;
  const titles = project.group === undefined ? ["idea", "someday"] : topicLabels[project.topic].slice(3);
  for (const title of titles) {
    const label = insertLabel(writing, context, theServer, source, {
      title,
      color: random.pick(labelColors),
      description: null,
    });
    project.labelIds.push(label.id);
    if (random.chance(0.3)) updatePriority(writing, context.store, label.id, project.record.id, random.integer(1, 5));
  }
}

/** Adds the milestones of a top-level group: the quarters from its start to the one after next. */
function seedQuarters(organisation: Organisation, random: SeededRandom, group: SeededGroup): void {
  const { from, until } = organisation;
  const first = new Date(from);
  for (let quarter = Math.floor(first.getUTCMonth() / 3); ; quarter += 1) {
    const start = Date.UTC(first.getUTCFullYear(), 3 * quarter);
    const end = Date.UTC(first.getUTCFullYear(), 3 * quarter + 3) - dayMs;
    if (start > until + 91 * dayMs) break;
    const title = `${new Date(start).getUTCFullYear()} Q${1 + (quarter % 4)}`;
    if (end >= group.since) seedMilestone(organisation, random, group, "group", title, start, end);
  }
}

/** Adds the milestones of a project, one after another. The last one is in the future. */
function seedVersions(organisation: Organisation, random: SeededRandom, project: SeededProject): void {
  const { until } = organisation;
  const count = random.integer(2, 4);
  const span = (until + 60 * dayMs - project.since) / count;
  for (let number = 0; number < count; number += 1) {
    const start = project.since + number * span;
    const title = number === 0 ? "First light" : `${number}.${random.integer(0, 3)}`;
    seedMilestone(organisation, random, project, "project", title, start, start + span - dayMs);
  }
}

function seedMilestone(
  organisation: Organisation,
  random: SeededRandom,
  place: SeededGroup | SeededProject,
  type: "group" | "project",
  title: string,
  start: number,
  end: number,
): void {
  const { writing, until } = organisation;
  const source = { type, id: place.record.id } as const;
  const created = Math.max(place.since, start - 14 * dayMs);
  // Some of the last ones are overdue.
  const isLate = type === "project" && end > until - 200 * dayMs && random.chance(0.4);
  const isOver = end < until - 10 * dayMs && !isLate;
  const updated_at = organisation.at(isOver ? end + 5 * dayMs : created);
  const { id } = writing.insert(milestones, {
    id: writing.nextId("milestones"),
    iid: nextIid(writing, source),
    source_type: type,
    source_id: place.record.id,
    title,
    description: random.chance(0.5) ? random.pick(milestoneDescriptions) : null,
    state: isOver ? "closed" : "active",
    start_date: toCalendarDate(start),
    due_date: toCalendarDate(end),
    created_at: organisation.at(created),
    updated_at,
  });
  place.milestones.push({ id, from: start, to: end });
}

function seedEpics(organisation: Organisation, random: SeededRandom, group: SeededGroup): void {
  const { context, writing, until } = organisation;
  const wanted = group.parent === undefined ? 2 : random.integer(0, 2);
  const fit = epicTexts.filter(({ topics }) => topics.includes(group.topic));
  for (const { title, description, color } of random.some(fit, wanted)) {
    const since = group.since + (0.1 + 0.6 * random.fraction()) * (until - group.since);
    const author = randomMember(random, group, since, 20);
    const isClosed = random.chance(0.25);
    const ended = since + 0.8 * (until - since);
    const parent = group.parent?.epics.find((epic) => epic.since < since);
    const start = random.chance(0.6) ? toCalendarDate(since) : null;
    const closed_at = isClosed ? organisation.at(ended) : null;
    const epic = writing.insert(epics, {
      id: writing.nextId("epics"),
      iid: nextEpicIid(writing, group.record.id),
      group_id: group.record.id,
      parent_id: parent !== undefined && random.chance(0.5) ? parent.id : null,
      title,
      description,
      state: isClosed ? "closed" : "opened",
      confidential: false,
      author_id: author.user.id,
      label_ids: random.some(group.labelIds, 1),
      start_date_is_fixed: start !== null,
      start_date_fixed: start,
      due_date_is_fixed: false,
      due_date_fixed: null,
      color,
      closed_at,
      upvotes: 0,
      downvotes: 0,
      created_at: organisation.at(since),
      updated_at: closed_at ?? organisation.at(since),
    });
    upsertSubscription(writing, context.store, { type: "Epic", id: epic.id }, author.user.id, true);
    if (!isClosed) group.epics.push({ id: epic.id, since, last: 0 });
  }
}
