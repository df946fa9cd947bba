import { type Static, Type } from "@sinclair/typebox";
import {
  atLeastOne,
  boolean,
  dateTime,
  idInPath,
  integer,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  projectId,
  text,
  writtenDate,
} from "../../../domain/parameters.ts";
import { issueTypes, severities } from "./records.ts";

/** The limit of the real system: each assignee gets a mail. */
const assigneesMax = 200;
/** The largest number that the database of the real system can hold for these. */
const intMax = 2_147_483_647;

const titles = () => optional(nullable(list(text(), { split: true })));
const anyCase = severities.flatMap((severity) => [severity, severity.toUpperCase()]);

/** The parameters of both creation and update of an issue (issues-labels-milestones-epics 1.4). */
const attributes = {
  description: optional(nullable(longText({ description: "at most 1,048,576 characters" }))),
  confidential: optional(boolean({ allowBlank: false })),
  assignee_ids: optional(
    nullable(list(integer(), { split: true, maxItems: assigneesMax, description: "community: the first alone" })),
  ),
  assignee_id: optional(nullable(integer({ description: "older form of one assignee" }))),
  milestone_id: optional(nullable(integer({ description: "the id, not the iid; 0 clears" }))),
  labels: titles(),
  add_labels: titles(),
  remove_labels: titles(),
  due_date: optional(nullable(writtenDate())),
  start_date: optional(nullable(writtenDate())),
  discussion_locked: optional(nullable(boolean())),
  issue_type: optional(oneOf(issueTypes, { allowBlank: false, emptyIsAbsent: true })),
  severity: optional(oneOf(anyCase, { allowBlank: false, emptyIsAbsent: true, description: "of incidents" })),
  epic_id: optional(nullable(integer({ tier: "premium", description: "premium; the id, not the iid; 0 removes" }))),
  epic_iid: optional(nullable(integer({ tier: "premium", deprecated: true, description: "in the project's groups" }))),
  weight: optional(nullable(integer({ tier: "premium", minimum: 0, maximum: intMax, description: "premium" }))),
};

export const CreateIssue = Type.Object({
  id: projectId(),
  title: text({ description: "1 to 255 characters" }),
  ...attributes,
  created_at: optional(dateTime({ description: "administrators and owners; ignored for others" })),
  iid: optional(integer({ minimum: 1, maximum: intMax, description: "administrators and owners; ignored for others" })),
});

const updatable = {
  title: optional(nullable(text({ description: "1 to 255 characters" }))),
  ...attributes,
  state_event: optional(oneOf(["close", "reopen"], { allowBlank: false, emptyIsAbsent: true })),
};

export const IssueInPath = Type.Object({ id: projectId(), issue_iid: idInPath("iid of the issue") });

export const UpdateIssue = Type.Object({
  ...IssueInPath.properties,
  ...updatable,
  updated_at: optional(dateTime({ allowBlank: false, description: "administrators and owners; ignored for others" })),
});
export const updateRules = [atLeastOne(...Object.keys(updatable))];

/** The parameters of both creation and update. */
export type IssueAttributes = Static<ReturnType<typeof attributesObject>>;
const attributesObject = () => Type.Object(attributes);
