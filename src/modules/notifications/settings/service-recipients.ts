import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { Store } from "../../../store/index.ts";
import { Access, membershipOriginsOf } from "../../core/access/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import { type UserRecord, users } from "../../core/users/records.ts";
import { type GroupRecord, groupSettingsOf, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projectSettingsOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { memberships } from "../../members/members/records.ts";
import { notificationEmailOf } from "./addresses.ts";
import type { NotificationEvent } from "./levels.ts";
import {
  choiceKey,
  everywhere,
  isFlagOn,
  type NotificationChoice,
  notificationSettings,
  type SettingsPlace,
} from "./records.ts";
import { findSettings } from "./service.ts";

/** The project or group of an event. */
type Scene = { readonly project: ProjectRecord } | { readonly group: GroupRecord };

/** The parts of an event that decide who gets mail about it. */
export type Occurrence = Scene & {
  readonly event: NotificationEvent;
  /** The user who caused it, and gets no mail. undefined: no user did, as when a pipeline ends. */
  readonly actor: number | undefined;
  /** Users who have a part in the thing: author, assignees, those who commented. Not read for pipelines. */
  readonly participants: readonly number[];
  /** Users named with `@username` in the text. Not read for pipelines. */
  readonly mentioned: readonly number[];
  /** The user who started the pipeline. For pipelines only. */
  readonly own?: number;
  /** Whether the user may read the thing; that the project or group is seen is asked beside it. */
  readonly mayRead: (user: UserRecord) => boolean;
};

export interface Recipient {
  readonly user: UserRecord;
  /** Their `notification_email`. */
  readonly email: string;
}

const pipelineEvents: ReadonlySet<NotificationEvent> = new Set([
  "failed_pipeline",
  "fixed_pipeline",
  "success_pipeline",
] as const);

/**
 * The recipients of mail about an event (notification-settings 5), each once, by id. Settings of users who are no
 * participants are found through the index of chosen events, never by reading those of all users.
 */
export function recipientsOf(context: Context, occurrence: Occurrence): Recipient[] {
  const { store } = context;
  const places = placesOf(store, occurrence);
  if (!sendsEmails(store, occurrence, places)) return [];
  return context.get(Access).climbing(() => recipientsIn(context, occurrence, places));
}

function recipientsIn(context: Context, occurrence: Occurrence, places: readonly SettingsPlace[]): Recipient[] {
  const { store } = context;
  const recipients: Recipient[] = [];
  const parts = partsIn(occurrence);
  for (const id of [...candidates(context, occurrence, parts, places)].sort((one, other) => one - other)) {
    if (id === occurrence.actor) continue;
    const user = store.of(users).get(id);
    if (user === undefined || user.state !== "active" || user.user_type !== "human") continue;
    if (!isRecipient(store, id, occurrence.event, parts, places) || !sees(context, user, occurrence)) continue;
    recipients.push({ user, email: notificationEmailOf(store, user, findSettings(store, id, everywhere)) });
  }
  return recipients;
}

/** The project, its groups from the nearest up, and everything: the order in which levels are looked for. */
function placesOf(store: Store, occurrence: Scene): SettingsPlace[] {
  const above = "group" in occurrence ? occurrence.group.id : occurrence.project.namespace_id;
  const around = selfAndAncestors(store, above)
    .filter(({ kind }) => kind === "group")
    .map(({ id }): SourceRef => ({ type: "group", id }));
  const project: SettingsPlace[] = "project" in occurrence ? [{ type: "project", id: occurrence.project.id }] : [];
  return [...project, ...around, everywhere];
}

function sendsEmails(store: Store, occurrence: Scene, places: readonly SettingsPlace[]): boolean {
  if ("project" in occurrence && !projectSettingsOf(occurrence.project).emails_enabled) return false;
  return places.every(({ type, id }) => {
    const group = type === "group" ? store.of(groups).get(id) : undefined;
    return group === undefined || groupSettingsOf(group).emails_enabled;
  });
}

/** All users who may be recipients, and some who are not. */
function candidates(
  context: Context,
  occurrence: Occurrence,
  parts: Parts,
  places: readonly SettingsPlace[],
): Set<number> {
  const { event } = occurrence;
  const rows = context.store.of(notificationSettings);
  const found = new Set(parts.all);
  const wishes: readonly NotificationChoice[] = pipelineEvents.has(event) ? [event] : ["watch", event];
  for (const place of places) {
    const sets = wishes.map((wish) => rows.by.wanted.find(choiceKey(place, wish)));
    const members = place === everywhere ? readersBelow(context, occurrence, sumOf(sets)) : undefined;
    if (members !== undefined) for (const id of members) found.add(id);
    else for (const set of sets) for (const id of set) found.add(rows.get(id)?.user_id ?? 0);
  }
  return found;
}

/**
 * Members and administrators, who alone see a private project, if they are fewer than the users who watch everything.
 * Else undefined.
 */
function readersBelow(context: Context, occurrence: Occurrence, count: number): number[] | undefined {
  if (!("project" in occurrence) || occurrence.project.visibility !== "private") return undefined;
  const { store } = context;
  const access = context.get(Access);
  const rows = store.of(memberships);
  const channels = membershipOriginsOf(store, { type: "project", id: occurrence.project.id }, access.today);
  const sets = channels.map(({ source }) => rows.by.source.find(sourceKey(source)));
  const administrators = store.of(users).by.flag.find("admin");
  if (sumOf(sets) + (administrators?.size ?? 0) >= count) return undefined;
  return [...(administrators ?? []), ...sets.flatMap((set) => [...set].map((id) => rows.get(id)?.user_id ?? 0))];
}

/** The participants and mentioned users. */
interface Parts {
  readonly mentioned: ReadonlySet<number>;
  /** The mentioned users are among them. */
  readonly all: ReadonlySet<number>;
}

/** A pipeline has its owner as the only participant, and none if it succeeded: only users who chose that event get mail. */
function partsIn({ event, participants, mentioned, own }: Occurrence): Parts {
  if (!pipelineEvents.has(event)) {
    return { mentioned: new Set(mentioned), all: new Set([...participants, ...mentioned]) };
  }
  return { mentioned: new Set(), all: new Set(own === undefined || event === "success_pipeline" ? [] : [own]) };
}

function isRecipient(
  store: Store,
  userId: number,
  event: NotificationEvent,
  parts: Parts,
  places: readonly SettingsPlace[],
): boolean {
  const row = inForce(store, userId, places);
  switch (row?.level ?? "participating") {
    case "disabled":
      return false;
    case "mention":
      return parts.mentioned.has(userId);
    case "watch":
      return !pipelineEvents.has(event) || parts.all.has(userId);
    case "custom":
      return parts.all.has(userId) || (row !== undefined && isFlagOn(row, event));
    default:
      return parts.all.has(userId);
  }
}

/** The settings of the nearest place that does not follow what is further up; undefined: nothing was ever set. */
function inForce(store: Store, userId: number, places: readonly SettingsPlace[]) {
  for (const place of places) {
    const row = findSettings(store, userId, place);
    if (row !== undefined && row.level !== "global") return row;
  }
  return undefined;
}

function sees(context: Context, user: UserRecord, occurrence: Occurrence): boolean {
  const access = context.get(Access);
  const isSeen =
    "project" in occurrence
      ? access.canSeeProject(user, occurrence.project)
      : access.canSeeGroup(user, occurrence.group);
  return isSeen && occurrence.mayRead(user);
}

function sumOf(sets: readonly { readonly size: number }[]): number {
  return sets.reduce((sum, { size }) => sum + size, 0);
}

/**
 * The address for a mail about a project that no setting covers; undefined: the user has mail disabled there, or is
 * deleted.
 */
export function mailAddressIn({ store }: Context, userId: number, project: ProjectRecord): string | undefined {
  const places = placesOf(store, { project });
  const user = store.of(users).get(userId);
  if (user === undefined || !sendsEmails(store, { project }, places)) return undefined;
  if (inForce(store, userId, places)?.level === "disabled") return undefined;
  return notificationEmailOf(store, user, findSettings(store, userId, everywhere));
}
