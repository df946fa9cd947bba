import { type Static, Type } from "@sinclair/typebox";
import {
  atLeastOne,
  boolean,
  dateTime,
  groupId,
  idInPath,
  integer,
  list,
  longText,
  mutuallyExclusive,
  nullable,
  oneOf,
  optional,
  searchText,
  text,
  writtenDate,
} from "../../../domain/parameters.ts";

const epicInPath = { id: groupId(), epic_iid: idInPath("number of the epic in its group") };
const titles = (description: string) => optional(nullable(list(text(), { split: true, description })));

/** The parameters of both creation and update (issues-labels-milestones-epics 6). */
const attributes = {
  description: optional(nullable(longText({ description: "at most 1,048,576 characters" }))),
  labels: titles("replaces the set; unknown ones become labels of the group"),
  confidential: optional(boolean({ allowBlank: false })),
  start_date_is_fixed: optional(boolean({ allowBlank: false })),
  start_date_fixed: optional(nullable(writtenDate())),
  due_date_is_fixed: optional(boolean({ allowBlank: false })),
  due_date_fixed: optional(nullable(writtenDate())),
  parent_id: optional(nullable(integer({ description: "id of the epic that it is part of; 0: of none" }))),
  color: optional(text({ allowBlank: false })),
};

export const CreateEpic = Type.Object({
  id: groupId(),
  title: text(),
  ...attributes,
  created_at: optional(dateTime({ description: "heard from owners and administrators" })),
});

const changes = {
  title: optional(nullable(text())),
  ...attributes,
  add_labels: titles("beside those that it has"),
  remove_labels: titles("names that it loses"),
  state_event: optional(oneOf(["close", "reopen"])),
};

export const UpdateEpic = Type.Object({ ...epicInPath, ...changes });
export const updateEpicRules = [atLeastOne(...Object.keys(changes))];

export type EpicAttributes = Omit<Static<typeof UpdateEpic>, "id" | "epic_iid">;

export const EpicInPath = Type.Object(epicInPath);

export const ListEpics = Type.Object({
  id: groupId(),
  author_id: optional(integer()),
  author_username: optional(text({ emptyIsAbsent: true, description: "whatever its case" })),
  labels: optional(list(text(), { split: true, description: "names that an epic has all of; None, Any" })),
  with_labels_details: optional(boolean({ description: "labels are objects" })),
  order_by: optional(oneOf(["created_at", "updated_at", "title"])),
  sort: optional(oneOf(["asc", "desc"])),
  search: optional(searchText("words and quoted phrases of title and description")),
  state: optional(oneOf(["opened", "closed", "all"])),
  created_after: optional(dateTime()),
  created_before: optional(dateTime()),
  updated_after: optional(dateTime()),
  updated_before: optional(dateTime()),
  include_ancestor_groups: optional(boolean()),
  include_descendant_groups: optional(boolean({ description: "true unless said" })),
  my_reaction_emoji: optional(text({ emptyIsAbsent: true, description: "what the caller put on it; None, Any" })),
});

export const listEpicsRules = [mutuallyExclusive("author_id", "author_username")];

/** `issue_id` of the page; paths that differ in names alone are one path of the API reference. */
export const AddIssue = Type.Object({ ...epicInPath, epic_issue_id: idInPath("id of the issue, not its iid") });

export const LinkInPath = Type.Object({ ...epicInPath, epic_issue_id: idInPath("id of the link") });

export const MoveIssue = Type.Object({
  ...LinkInPath.properties,
  move_before_id: optional(integer({ description: "link that comes right before it" })),
  move_after_id: optional(integer({ description: "link that comes right after it" })),
});
