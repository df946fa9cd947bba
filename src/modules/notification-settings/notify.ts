import type { SignedInCaller } from "../../domain/caller.ts";
import type { Transaction } from "../../store/index.ts";
import type { Context } from "../context.ts";
import { type ProjectRecord, projectNameOf, projectPathOf } from "../namespaces/index.ts";
import { queueMail } from "../outbox/index.ts";
import { type Occurrence, recipientsOf } from "./recipients.ts";

/** What the mails say, in plain text. */
export interface Message {
  readonly subject: string;
  readonly text: string;
}

/** Writes a mail to everybody who is to be told, in the transaction of the act (notification-settings 5). */
export function notify(tx: Transaction, context: Context, told: Occurrence & Message): void {
  const { subject, text, event } = told;
  for (const { email } of recipientsOf(context, told)) queueMail(tx, context, { to: email, subject, text, event });
}

/**
 * Tells that a project has another full path: after a transfer, or a change of its path. `formerPath` is the full path
 * from before; the record is the one from after, already in the store.
 */
export function notifyOfMovedProject(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  { project, formerPath, baseUrl }: { project: ProjectRecord; formerPath: string; baseUrl: string },
): void {
  const path = projectPathOf(context.store, project);
  notify(tx, context, {
    event: "moved_project",
    project,
    actor: caller.user.id,
    participants: project.creator_id === null ? [] : [project.creator_id],
    mentioned: [],
    mayRead: () => true,
    subject: `${project.name} | Project was moved`,
    text: `Project ${formerPath} was moved to another location.\n\nIt is now ${projectNameOf(context.store, project)}:\n${baseUrl}/${path}\n`,
  });
}
