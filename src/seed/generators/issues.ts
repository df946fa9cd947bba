import { type AccessLevel, accessLevels } from "../../domain/access-level.ts";
import type { SubjectRef } from "../../domain/subject.ts";
import { dayMs, toCalendarDate } from "../../lib/datetime.ts";
import { awardEmoji } from "../../modules/discussions/award-emoji/records.ts";
import { notes } from "../../modules/discussions/notes/records.ts";
import { epicIssues, positionStep } from "../../modules/planning/epics/records.ts";
import { emptyIssue, iidSequence } from "../../modules/planning/issues/index.ts";
import { type IssueRecord, issues } from "../../modules/planning/issues/records.ts";
import { subscriptions } from "../../modules/planning/subscriptions/records.ts";
import { chainOf, type Organisation, type Person, randomMember, type SeededProject } from "../organisation.ts";
import { ProjectDraw } from "../project-draw.ts";
import type { SeededRandom } from "../seeded-random.ts";
import {
  descriptionLines,
  descriptionWords,
  endings,
  internalNotes,
  issueWords,
  noteTexts,
  reactions,
} from "../vocabulary/issues.ts";

/** The average number of documents per issue, including itself. */
export const documentsOfIssue = 4.75;

/** Creates issues in the order of their times, so that numbers ascend with them. Calls `also` with the time of each. */
export function* seedIssues(
  organisation: Organisation,
  count: number,
  also: (time: number) => void,
): Generator<undefined> {
  const { from, until } = organisation;
  const random = organisation.random("issues");
  const draw = new ProjectDraw(organisation, random);
  for (let at = 0; at < count; at += 1) {
    // Later times have more issues, since the organisation grows.
    const share = ((at + random.fraction()) / count) ** 0.75;
    const time = from + 33 * dayMs + share * (until - from - 33.2 * dayMs);
    seedIssue(organisation, random, draw.at(time), time);
    also(time);
    yield undefined;
  }
}

/** The fields of an issue that are chosen before it is written. */
type Written = Pick<IssueRecord, "title" | "description" | "issue_type" | "severity"> & Partial<IssueRecord>;

export function seedIssue(
  organisation: Organisation,
  random: SeededRandom,
  project: SeededProject,
  time: number,
  {
    written = writeIssue(random, project),
    author = randomMember(random, project, time, accessLevels.guest),
  }: { readonly written?: Written; readonly author?: Person } = {},
): IssueRecord {
  const { writing, until } = organisation;
  const { record } = project;
  const end = project.isArchived ? Math.min(until, time + 30 * dayMs) : until;
  const closed = closingTime(random, time, end, project.isArchived);
  const id = writing.nextId("issues");
  const said = seedNotes(organisation, random, project, { id, author, time, end: closed ?? end });
  const votes = seedReactions(organisation, random, project, { type: "Issue", id }, time, end);
  const updated = Math.max(time, closed ?? 0, said.last);
  project.lastActivity = Math.max(project.lastActivity, organisation.shown(updated));
  const assignees = random.chance(0.7) ? [randomMember(random, project, time, accessLevels.developer)] : [];
  if (random.chance(0.08)) assignees.push(randomMember(random, project, time, accessLevels.developer));
  const closer = closed === undefined ? undefined : (assignees[0] ?? randomMember(random, project, closed, 20));
  const created_at = organisation.at(time);
  const issue = writing.insert(issues, {
    ...emptyIssue,
    ...plan(random, project, time),
    ...written,
    id,
    iid: writing.nextId(iidSequence(record.id)),
    project_id: record.id,
    author_id: author.user.id,
    assignee_ids: [...new Set(assignees.map(({ user }) => user.id))],
    confidential: written.issue_type !== "incident" && random.chance(0.04),
    discussion_locked: null,
    state: closed === undefined ? "opened" : "closed",
    closed_at: closed === undefined ? null : organisation.at(closed),
    closed_by_id: closer?.user.id ?? null,
    epic_id: joinEpic(organisation, random, project, id, time),
    created_at,
    updated_at: organisation.at(updated),
    user_notes_count: said.count,
    ...votes,
  });
  writing.insert(subscriptions, {
    id: writing.nextId("subscriptions"),
    subject_type: "Issue",
    subject_id: id,
    user_id: author.user.id,
    subscribed: true,
  });
  return issue;
}

/** Returns a title that the project does not have yet, unless nearly all are used. */
function drawTitle(random: SeededRandom, { topic, titles: said }: SeededProject): string {
  const { titles, words } = issueWords[topic];
  let title = random.phrase(random.pick(titles), words);
  for (let tries = 0; tries < 8 && said.has(title); tries += 1) title = random.phrase(random.pick(titles), words);
  if (said.has(title)) title = `${title} (again)`;
  said.add(title);
  return title;
}

function writeIssue(random: SeededRandom, project: SeededProject): Written {
  const { topic } = project;
  const lines = random
    .some(descriptionLines, random.integer(0, 2))
    .map((line) => random.phrase(line, descriptionWords));
  const more = random.chance(0.22) ? [random.pick(endings[topic])] : [];
  const description = [lines.join(" "), ...more].filter((part) => part !== "").join("\n\n");
  return {
    title: drawTitle(random, project),
    description: description === "" ? null : description,
    issue_type: random.weighted({ issue: 18, task: 2 }),
    severity: "unknown",
  };
}

/** Chooses labels, milestone, weight, dates and time estimates. */
function plan(random: SeededRandom, { labelIds, milestones }: SeededProject, time: number): Partial<IssueRecord> {
  const current = milestones.filter(({ from, to }) => from - 10 * dayMs <= time && time <= to);
  const milestone = random.chance(0.6) && current.length > 0 ? random.pick(current) : undefined;
  const hours = random.chance(0.25) ? random.integer(1, 24) : 0;
  const spent = hours > 0 && random.chance(0.6) ? Math.round(hours * (0.3 + random.fraction()) * 4) / 4 : 0;
  return {
    label_ids: random.some(labelIds, random.pick([0, 0, 1, 1, 1, 1, 2, 2, 3])).sort((one, other) => one - other),
    milestone_id: milestone?.id ?? null,
    weight: random.chance(0.4) ? random.pick([1, 1, 2, 2, 3, 5, 8]) : null,
    due_date: random.chance(0.2) ? toCalendarDate(time + random.integer(5, 60) * dayMs) : null,
    time_estimate: hours * 3_600,
    total_time_spent: spent * 3_600,
  };
}

/** Returns when the issue is closed. Most are closed within weeks; some stay open. */
function closingTime(random: SeededRandom, time: number, end: number, isArchived: boolean): number | undefined {
  if (!isArchived && random.chance(0.22)) return undefined;
  const closed = time + (0.1 + random.fraction() ** 2.5 * 120) * dayMs;
  if (closed < end) return closed;
  return isArchived ? end - 1 : undefined;
}

function seedNotes(
  organisation: Organisation,
  random: SeededRandom,
  project: SeededProject,
  issue: { readonly id: number; readonly author: Person; readonly time: number; readonly end: number },
): { readonly count: number; readonly last: number } {
  const { writing } = organisation;
  const count = Math.floor(random.fraction() ** 2 * 5.6);
  const said = new Set<string>();
  let last = issue.time;
  for (let at = 0; at < count; at += 1) {
    last += Math.min((0.02 + random.fraction() ** 2 * 12) * dayMs, random.fraction() * (issue.end - last));
    const isInternal = random.chance(0.03);
    const least: AccessLevel = isInternal ? accessLevels.reporter : accessLevels.guest;
    const author = randomMember(random, project, last, least);
    const now = organisation.at(last);
    const id = writing.nextId("notes");
    const body = drawNote(random, isInternal ? internalNotes : noteTexts, said, author === issue.author);
    writing.insert(notes, {
      id,
      noteable_type: "Issue",
      noteable_id: issue.id,
      author_id: author.user.id,
      body: body.replaceAll("{who}", issue.author.user.username),
      system: false,
      internal: isInternal,
      created_at: now,
      updated_at: now,
    });
    if (random.chance(0.08)) seedReactions(organisation, random, project, { type: "Note", id }, last, issue.end, 2);
  }
  return { count, last };
}

/** Returns a text that is not in the thread yet. Authors do not mention themselves. */
function drawNote(random: SeededRandom, texts: readonly string[], said: Set<string>, isToThemselves: boolean): string {
  const isFit = (text: string) => !said.has(text) && !(isToThemselves && text.includes("@{who}"));
  const fit = texts.filter(isFit);
  const text = random.pick(fit.length === 0 ? texts : fit);
  said.add(text);
  return text;
}

/** Adds reactions, each of a different user. */
function seedReactions(
  organisation: Organisation,
  random: SeededRandom,
  project: SeededProject,
  subject: SubjectRef,
  time: number,
  end: number,
  most = 5,
): { upvotes: number; downvotes: number } {
  const { writing } = organisation;
  const votes = { upvotes: 0, downvotes: 0 };
  const given = new Set<string>();
  for (let left = Math.floor(random.fraction() ** 3 * (most + 1)); left > 0; left -= 1) {
    const name = random.weighted(reactions);
    const when = time + random.fraction() ** 2 * Math.min(30 * dayMs, end - time);
    const { user } = randomMember(random, project, when, accessLevels.guest);
    if (given.has(`${user.id} ${name}`)) continue;
    given.add(`${user.id} ${name}`);
    const now = organisation.at(when);
    writing.insert(awardEmoji, {
      id: writing.nextId("award_emoji"),
      awardable_type: subject.type,
      awardable_id: subject.id,
      user_id: user.id,
      name,
      created_at: now,
      updated_at: now,
    });
    if (name === "thumbsup") votes.upvotes += 1;
    if (name === "thumbsdown") votes.downvotes += 1;
  }
  return votes;
}

/** Returns the id of an epic of a parent group; undefined when the issue gets none. */
function joinEpic(
  organisation: Organisation,
  random: SeededRandom,
  project: SeededProject,
  issueId: number,
  time: number,
): number | null {
  if (!random.chance(0.18)) return null;
  const { writing } = organisation;
  const open = chainOf(project.group).flatMap(({ epics }) => epics.filter(({ since }) => since <= time));
  if (open.length === 0) return null;
  const epic = random.pick(open);
  epic.last += positionStep;
  writing.insert(epicIssues, {
    id: writing.nextId("epic_issues"),
    epic_id: epic.id,
    issue_id: issueId,
    relative_position: epic.last,
  });
  return epic.id;
}
