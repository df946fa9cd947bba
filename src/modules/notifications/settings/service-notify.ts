import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { enqueueMail } from "../../core/outbox/index.ts";
import type { MailTopic } from "../../core/outbox/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type Occurrence, recipientsOf } from "./service-recipients.ts";

/** The content of a mail, in plain text, and what it is about. */
export interface Message {
  readonly topic: MailTopic;
  readonly subject: string;
  readonly text: string;
}

/** Writes a mail to each recipient, in the transaction of the act (notification-settings 5). */
export function notify(tx: Transaction, context: Context, notification: Occurrence & Message): void {
  const { subject, text, event, topic } = notification;
  const cause = causeOf(notification);
  for (const { user, email } of recipientsOf(context, notification))
    enqueueMail(tx, context, { to: email, subject, text, event, cause, reader: { user_id: user.id, ...topic } });
}

/** The user who caused it; the place where nobody did. */
function causeOf(occurrence: Occurrence): string {
  const user = occurrence.actor ?? occurrence.own;
  if (user !== undefined) return `user ${user}`;
  return "project" in occurrence ? `project ${occurrence.project.id}` : `group ${occurrence.group.id}`;
}

/**
 * Mails that a project was moved: to another namespace, or to another path in it. `after` is in the store already; does
 * nothing when the place is the same.
 */
export function notifyOfMovedProject(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: ProjectRecord,
  after: ProjectRecord,
): void {
  if (before.namespace_id === after.namespace_id && before.path === after.path) return;
  const { store } = context;
  const [from, to] = [projectPathOf(store, before), projectPathOf(store, after)];
  notify(tx, context, {
    event: "moved_project",
    project: after,
    actor: caller.user.id,
    participants: after.creator_id === null ? [] : [after.creator_id],
    mentioned: [],
    mayRead: () => true,
    topic: { type: "Project", id: after.id },
    subject: `${after.name} | Project was moved`,
    text: `Project ${from} was moved to another place.\n\nIt is now ${to}.\n`,
  });
}
