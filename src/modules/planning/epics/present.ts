import type { Caller } from "../../../domain/caller.ts";
import { fullPathOf, type GroupRecord } from "../../core/namespaces/index.ts";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { presentLabels } from "../issues/index.ts";
import { canReadEpic, type EpicRecord, epics, findSubscription } from "../records/index.ts";
import { milestoneDates } from "./dates.ts";

/** How an epic is shown. */
export interface EpicView {
  readonly caller: Caller;
  /** What `references.relative` starts from. */
  readonly group: GroupRecord;
  readonly baseUrl: string;
  /** Labels are objects. */
  readonly withLabelsDetails?: boolean | undefined;
}

/** A single epic (issues-labels-milestones-epics 6). */
export function presentEpic(context: Context, epic: EpicRecord, view: EpicView) {
  const { user } = view.caller;
  const said = user && findSubscription(context.store, { type: "Epic", id: epic.id }, user.id);
  return { ...presentListedEpic(context, epic, view), subscribed: said ?? epic.author_id === user?.id };
}

/** An entry of a list: all but `subscribed`. */
export function presentListedEpic(context: Context, epic: EpicRecord, view: EpicView) {
  const { store } = context;
  const { baseUrl } = view;
  return {
    id: epic.id,
    iid: epic.iid,
    group_id: epic.group_id,
    ...presentParent(context, epic, view),
    title: epic.title,
    description: epic.description,
    state: epic.state,
    confidential: epic.confidential,
    ...presentPlace(context, epic, view),
    author: presentBasicUser(getUser(store, epic.author_id), baseUrl),
    ...presentDates(context, epic),
    created_at: epic.created_at,
    updated_at: epic.updated_at,
    closed_at: epic.closed_at,
    labels: presentLabels(context, epic, view.withLabelsDetails === true),
    upvotes: epic.upvotes,
    downvotes: epic.downvotes,
    color: epic.color,
  };
}

function presentDates({ store }: Context, epic: EpicRecord) {
  const { start, due } = milestoneDates(store, epic);
  const end = epic.due_date_is_fixed ? epic.due_date_fixed : due;
  return {
    start_date: epic.start_date_is_fixed ? epic.start_date_fixed : start,
    start_date_is_fixed: epic.start_date_is_fixed,
    start_date_fixed: epic.start_date_fixed,
    start_date_from_milestones: start,
    start_date_from_inherited_source: start,
    end_date: end,
    due_date: end,
    due_date_is_fixed: epic.due_date_is_fixed,
    due_date_fixed: epic.due_date_fixed,
    due_date_from_milestones: due,
    due_date_from_inherited_source: due,
  };
}

/** The parent and all links: a parent that is hidden from the caller is none. */
function presentParent(context: Context, epic: EpicRecord, { caller, baseUrl }: EpicView) {
  const named = epic.parent_id === null ? undefined : context.store.of(epics).get(epic.parent_id);
  const parent = named !== undefined && canReadEpic(context, caller.user, named) ? named : undefined;
  const self = apiUrl(epic, baseUrl);
  return {
    parent_id: parent?.id ?? null,
    _links: {
      self,
      epic_issues: `${self}/issues`,
      group: `${baseUrl}/api/v4/groups/${epic.group_id}`,
      parent: parent === undefined ? null : apiUrl(parent, baseUrl),
    },
  };
}

function apiUrl({ group_id, iid }: EpicRecord, baseUrl: string): string {
  return `${baseUrl}/api/v4/groups/${group_id}/epics/${iid}`;
}

function presentPlace({ store }: Context, { group_id, iid }: EpicRecord, { group, baseUrl }: EpicView) {
  const path = fullPathOf(store, group_id);
  const short = `&${iid}`;
  const full = `${path}${short}`;
  const from = `${fullPathOf(store, group.id)}/`;
  const fromElsewhere = full.startsWith(from) ? full.slice(from.length) : full;
  return {
    web_url: `${baseUrl}/groups/${path}/-/epics/${iid}`,
    reference: short,
    references: { short, relative: group_id === group.id ? short : fromElsewhere, full },
  };
}
