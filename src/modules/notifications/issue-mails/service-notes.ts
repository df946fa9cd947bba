import type { Transaction } from "../../../store/index.ts";
import { Noteables } from "../../discussions/noteables/index.ts";
import type { NoteSaved } from "../../discussions/notes/index.ts";
import type { Context } from "../../kernel/context.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
import { findSubscription, subscribersTo } from "../../planning/subscriptions/index.ts";
import { notify } from "../settings/index.ts";
import { addressOfTarget, excerptOf, nameOf, subjectOf, textOf } from "./mail-text.ts";
import { mentionedIn } from "./mentions.ts";

/** Mails about a comment; `note` is in the store already. System notes are not mailed. */
export function mailNote(tx: Transaction, context: Context, { caller, after: note }: NoteSaved): void {
  const readable = context.get(Noteables);
  const target = readable.findTarget({ type: note.noteable_type, id: note.noteable_id });
  if (note.system || target === undefined) return;
  const { store } = context;
  const { noteable, project, thing } = target;
  const ref = { type: noteable.type, id: thing.id };
  notify(tx, context, {
    event: "new_note",
    project,
    actor: caller.user.id,
    participants: [
      ...noteable.listParticipants(store, thing),
      ...subscribersTo(store, ref),
      ...mentionedIn(store, thing.title, thing.description),
    ],
    mentioned: mentionedIn(store, note.body),
    mayRead: (user) =>
      findSubscription(store, ref, user.id) !== false &&
      readable.canRead(user, ref) &&
      (!note.internal || canReadInternalNotes(context, user, project)),
    topic: { type: "Note", id: note.id },
    subject: subjectOf(project, thing, noteable.referenceOf(thing)),
    text: textOf(
      `${nameOf(caller)} wrote:`,
      excerptOf(note.body),
      `${addressOfTarget(context, target)}#note_${note.id}`,
    ),
  });
}
