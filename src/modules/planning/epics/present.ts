import type { Static } from "@sinclair/typebox";
import { canReadEpic } from "../../core/access/index.ts";
import { fullPathOf } from "../../core/namespaces/index.ts";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { View } from "../../kernel/view.ts";
import { presentLabels } from "../issues/index.ts";
import { findSubscription } from "../subscriptions/index.ts";
import { milestoneDates } from "./dates.ts";
import { type EpicRecord, epics } from "./records.ts";
import type { Epic, ListedEpic } from "./schema.ts";

/** The choices for presenting an epic. */
export interface EpicOptions {
  /** The group from which `references.relative` starts. */
  readonly group: GroupRecord;
  /** Labels are objects. */
  readonly withLabelsDetails?: boolean | undefined;
}

/** A single epic (issues-labels-milestones-epics 6). */
export function presentEpic(epic: EpicRecord, view: View, options: EpicOptions): Static<typeof Epic> {
  const { context, caller } = view;
  const { user } = caller;
  const said = user && findSubscription(context.store, { type: "Epic", id: epic.id }, user.id);
  return { ...presentListedEpic(epic, view, options), subscribed: said ?? epic.author_id === user?.id };
}

/** An entry of a list: all but `subscribed`. */
export function presentListedEpic(epic: EpicRecord, view: View, options: EpicOptions): Static<typeof ListedEpic> {
  const { store } = view.context;
  return {
    id: epic.id,
    iid: epic.iid,
    group_id: epic.group_id,
    ...presentParent(epic, view),
    title: epic.title,
    description: epic.description,
    state: epic.state,
    confidential: epic.confidential,
    ...presentPlace(epic, view, options),
    author: presentBasicUser(getUser(store, epic.author_id), view),
    ...presentDates(epic, view),
    created_at: epic.created_at,
    updated_at: epic.updated_at,
    closed_at: epic.closed_at,
    labels: presentLabels(epic, view, { withDetails: options.withLabelsDetails === true }),
    upvotes: epic.upvotes,
    downvotes: epic.downvotes,
    color: epic.color,
  };
}

function presentDates(epic: EpicRecord, { context: { store } }: View) {
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
function presentParent(epic: EpicRecord, { context, caller, baseUrl }: View) {
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

function presentPlace({ group_id, iid }: EpicRecord, { context: { store }, baseUrl }: View, { group }: EpicOptions) {
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
