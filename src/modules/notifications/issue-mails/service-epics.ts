import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import type { Transaction } from "../../../store/index.ts";
import { canReadEpic } from "../../core/access/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RecordCreated } from "../../kernel/record-events.ts";
import type { EpicRecord } from "../../planning/epics/records.ts";
import { findSubscription, subscribersTo } from "../../planning/subscriptions/index.ts";
import { notify } from "../settings/index.ts";
import { addressOfEpic, excerptOf, subjectOf, textOf } from "./mail-text.ts";
import { mentionedIn } from "./mentions.ts";

/** Mails about a new epic, in the edition that has the event (notification-settings 3). */
export function mailEpic(
  tx: Transaction,
  context: Context,
  { caller, after: epic }: RecordCreated<EpicRecord, SignedInCaller>,
): void {
  const { store, edition } = context;
  const group = store.of(groups).get(epic.group_id);
  if (group === undefined || !includesTier(edition, "ultimate")) return;
  const ref = { type: "Epic", id: epic.id } as const;
  const { name, username } = caller.user;
  notify(tx, context, {
    event: "new_epic",
    group,
    actor: caller.user.id,
    participants: [epic.author_id, ...subscribersTo(store, ref)],
    mentioned: mentionedIn(store, epic.title, epic.description),
    mayRead: (user) => findSubscription(store, ref, user.id) !== false && canReadEpic(context, user, epic),
    topic: ref,
    subject: subjectOf(group, epic, `&${epic.iid}`),
    text: textOf(
      `${name} (@${username}) created an epic.`,
      excerptOf(epic.description),
      addressOfEpic(context, group, epic),
    ),
  });
}
