import { Type } from "@sinclair/typebox";
import { logMarks, sequences } from "../../../store/index.ts";
import { installation } from "../../accounts/initial-setup/index.ts";
import { features } from "../../admin/feature-flags/index.ts";
import { ApplicationSettings, applicationSettings } from "../../core/application-settings/index.ts";
import { type AuditEventRecord, auditEvents, entityTypes } from "../../core/audit-events/index.ts";
import { jobs } from "../../core/background-jobs/index.ts";
import { mailDeliveries, mails, unsentMails } from "../../core/outbox/index.ts";
import { spamLogs } from "../../core/spam/index.ts";
import { dueMails } from "../../notifications/issue-mails/index.ts";
import {
  anything,
  day,
  either,
  flag,
  listOf,
  matching,
  moment,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type RecordShape,
  type Shape,
  shapeOf,
  text,
  whole,
} from "./shape.ts";

const auditDetails: Shape<AuditEventRecord["details"]> = object({
  custom_message: optional(text),
  add: optional(text),
  as: optional(text),
  change: optional(text),
  from: optional(text),
  to: optional(text),
  remove: optional(text),
  member_id: optional(whole),
  expiry_from: optional(nullable(day)),
  expiry_to: optional(nullable(day)),
  event_name: text,
  author_name: text,
  author_email: nullable(text),
  author_class: text,
  target_id: either(text, whole),
  target_type: text,
  target_details: text,
  ip_address: nullable(text),
  entity_path: text,
});

export const shapes: readonly RecordShape[] = [
  shapeOf(installation, { id: oneOf(1), root_user_id: whole, is_root_password_set: flag }),
  shapeOf(applicationSettings, { id: oneOf(1), values: matching(Type.Partial(ApplicationSettings)) }),
  shapeOf(features, {
    boolean: flag,
    actors: listOf(text),
    groups: listOf(text),
    percentage_of_actors: number,
    percentage_of_time: number,
    id: whole,
    name: text,
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(auditEvents, {
    id: whole,
    author_id: whole,
    entity_id: whole,
    entity_type: oneOf(...entityTypes),
    event_name: text,
    details: auditDetails,
    created_at: moment,
  }),
  shapeOf(mails, { id: whole, to: text, subject: text, text: text, event: text, created_at: moment }),
  shapeOf(unsentMails, { id: whole, attempts: whole, due_at: moment }),
  shapeOf(mailDeliveries, { id: whole, sent_at: nullable(moment), ended_at: moment }),
  shapeOf(dueMails, { id: oneOf(1), due_date: day, last_issue_id: whole }),
  shapeOf(spamLogs, {
    id: whole,
    user_id: whole,
    source_ip: nullable(text),
    user_agent: nullable(text),
    via_api: oneOf(true),
    noteable_type: oneOf("Issue", "PersonalSnippet", "ProjectSnippet"),
    title: text,
    description: text,
    recaptcha_verified: flag,
    created_at: moment,
  }),
  shapeOf(jobs, {
    id: whole,
    kind: text,
    state: oneOf("queued", "running", "failed"),
    due_at: moment,
    attempts: whole,
    last_error: nullable(text),
    payload: anything,
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(sequences, { id: whole, name: text, last: whole }),
  shapeOf(logMarks, { id: whole, name: text, below: whole }),
];
