import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { getReadableIssueById, insertEpicLink, issueEvents, removeEpicLink, requirePlanner } from "../issues/index.ts";
import { type IssueRecord, issues } from "../issues/records.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { type EpicIssueRecord, type EpicRecord, epicIssues, positionStep } from "./records.ts";

/** An issue and its place in the epic. */
export interface Entry {
  readonly link: EpicIssueRecord;
  readonly issue: IssueRecord;
}

/** The issues of the epic that the caller may read, in their order. */
export function listEpicIssues(
  context: Context,
  { user }: SignedInCaller,
  epic: EpicRecord,
  page: PageRequest,
): Page<EpicIssueRecord> {
  const { store } = context;
  return store.page(epicIssues, {
    where: [{ index: "epic_id", key: epic.id }],
    order: "relative_position",
    descending: false,
    page,
    matches(link) {
      const issue = store.of(issues).get(link.issue_id);
      return issue !== undefined && context.get(ReadableIssues).has(user, issue);
    },
  });
}

/**
 * Puts an issue behind the others of the epic; it leaves the epic that it was in, and stays where it is if that is this
 * one. Throws 404 for a hidden issue, 403 where the caller may not plan issues.
 */
export function createEpicIssue(context: Context, caller: SignedInCaller, epic: EpicRecord, issueId: number): Entry {
  const { store } = context;
  const issue = getReadableIssueById(context, caller, issueId);
  requireOwnLink(context, caller, issue);
  const known = linkOf(store, issue);
  if (known?.epic_id === epic.id) return { link: known, issue };
  return store.transact((tx) => {
    const link = insertEpicLink(tx, store, issue, epic.id);
    const after = store.of(issues).get(issue.id) ?? issue;
    publish(tx, context, issueEvents.updated, { caller, before: issue, after });
    return { link, issue: after };
  });
}

/** For planners of the epic's group. Throws 404 for a link that is none of the epic's, or of a hidden issue. */
export function deleteEpicIssue(context: Context, caller: SignedInCaller, epic: EpicRecord, linkId: number): Entry {
  const { store } = context;
  const { link, issue } = getEntry(context, caller, epic, linkId);
  return store.transact((tx) => {
    const after = removeEpicLink(tx, store, issue);
    publish(tx, context, issueEvents.updated, { caller, before: issue, after });
    return { link, issue: after };
  });
}

/** The new position of an issue: right behind one, right before another, or between both. */
export interface Neighbours {
  readonly move_before_id?: number | undefined;
  readonly move_after_id?: number | undefined;
}

/** Throws 404 for links that are none of the epic's, or of hidden issues. */
export function updateEpicIssue(
  context: Context,
  caller: SignedInCaller,
  epic: EpicRecord,
  linkId: number,
  { move_before_id, move_after_id }: Neighbours,
): void {
  const { link } = getEntry(context, caller, epic, linkId);
  const neighbour = (id: number | undefined) =>
    id === undefined || id === link.id ? undefined : getEntry(context, caller, epic, id).link;
  const [before, after] = [neighbour(move_before_id), neighbour(move_after_id)];
  if (before === undefined && after === undefined) return;
  context.store.transact((tx) => {
    const others = linksInOrder(context.store, epic).filter(({ id }) => id !== link.id);
    const place = before === undefined ? indexOf(others, after) : indexOf(others, before) + 1;
    placeAt(tx, others, link, place);
  });
}

/** Puts the issue between its new neighbours if there is room; else all issues get new positions. */
function placeAt(tx: Transaction, others: readonly EpicIssueRecord[], link: EpicIssueRecord, place: number): void {
  const low = others[place - 1]?.relative_position ?? 0;
  const high = others[place]?.relative_position ?? low + 2 * positionStep;
  if (high - low > 1) {
    tx.update(epicIssues, { ...link, relative_position: Math.floor((low + high) / 2) });
    return;
  }
  const all = [...others.slice(0, place), link, ...others.slice(place)];
  for (const [at, each] of all.entries()) {
    tx.update(epicIssues, { ...each, relative_position: (at + 1) * positionStep });
  }
}

function indexOf(links: readonly EpicIssueRecord[], wanted: EpicIssueRecord | undefined): number {
  return links.findIndex(({ id }) => id === wanted?.id);
}

function linksInOrder(store: Store, epic: EpicRecord): EpicIssueRecord[] {
  const documents = store.of(epicIssues);
  return [...documents.by.epic_id.find(epic.id)]
    .map((id) => documents.get(id))
    .filter((link) => link !== undefined)
    .sort((one, other) => one.relative_position - other.relative_position || one.id - other.id);
}

function linkOf(store: Store, { id }: IssueRecord): EpicIssueRecord | undefined {
  const linkId = store.of(epicIssues).by.issue_id.find(id);
  return linkId === undefined ? undefined : store.of(epicIssues).get(linkId);
}

/** Throws 403 for all but planners and above in the issue's project (1.4, "Metadata right"). */
function requireOwnLink(context: Context, caller: SignedInCaller, issue: IssueRecord): void {
  const project = context.store.of(projects).get(issue.project_id);
  if (project === undefined) throw new Error(`issue ${issue.id} is nowhere`);
  requirePlanner(context, caller, project);
}

function getEntry(context: Context, caller: SignedInCaller, epic: EpicRecord, linkId: number): Entry {
  const { store } = context;
  const readableIssues = context.get(ReadableIssues);
  const link = store.of(epicIssues).get(linkId);
  const issue = link?.epic_id === epic.id ? store.of(issues).get(link.issue_id) : undefined;
  if (link === undefined || issue === undefined || !readableIssues.has(caller.user, issue))
    throw notFound("Epic Issue");
  return { link, issue };
}
