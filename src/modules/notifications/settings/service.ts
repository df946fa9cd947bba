import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groupRemoval } from "../../core/namespaces/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { ownAddresses } from "./addresses.ts";
import {
  isNotificationLevel,
  levelNumbers,
  type NotificationEvent,
  type NotificationLevel,
  notificationEvents,
} from "./levels.ts";
import {
  everywhere,
  type NotificationSettingsRecord,
  notificationSettings,
  type SettingsPlace,
  settingsKey,
  settingsPlaceKey,
} from "./records.ts";

/** A change of the settings; fields that it leaves out stay. */
export type SettingsChange = { readonly [E in NotificationEvent]?: boolean } & {
  readonly level?: string;
  /** Global only. Empty: the primary address. */
  readonly notification_email?: string;
};

/** The settings of a user for a place; undefined if there are none. */
export function findSettings(
  store: Store,
  userId: number,
  place: SettingsPlace,
): NotificationSettingsRecord | undefined {
  const rows = store.of(notificationSettings);
  return rows.get(rows.by.holder.find(settingsKey(place, userId)) ?? 0);
}

export function levelOf(row: NotificationSettingsRecord | undefined, place: SettingsPlace): NotificationLevel {
  return row?.level ?? (place.type === "global" ? "participating" : "global");
}

/** `permissions.*.notification_level` of project objects (notification-settings 4). */
export function notificationLevelOf(store: Store, userId: number, source: SourceRef): number {
  return levelNumbers[levelOf(findSettings(store, userId, source), source)];
}

/** Changes the caller's own settings. Throws 400 for a level or an address that is none; then nothing is changed. */
export function updateNotificationSettings(
  context: Context,
  caller: SignedInCaller,
  place: SettingsPlace,
  change: SettingsChange,
): void {
  const { store } = context;
  const userId = caller.user.id;
  const before = findSettings(store, userId, place);
  const { level = levelOf(before, place) } = change;
  if (!isNotificationLevel(level)) throw invalid(`'${level}' is not a valid level`);
  const address = addressAfter(store, userId, before, place, change);
  const events = { ...before?.events, ...flagsIn(change) };
  const isSame =
    level === levelOf(before, place) &&
    address === (before?.notification_email ?? null) &&
    notificationEvents.every((event) => events[event] === before?.events[event]);
  if (isSame) return;
  const now = toDateTime(context.clock.now());
  const after = { level, notification_email: address, events, updated_at: now };
  store.transact((tx) => {
    if (before !== undefined) return tx.update(notificationSettings, { ...before, ...after });
    return tx.insert(notificationSettings, {
      id: tx.nextId("notification_settings"),
      user_id: userId,
      source_type: place.type,
      source_id: place.id,
      created_at: now,
      ...after,
    });
  });
}

/**
 * Removes at most `limit` of the users' settings for a group or project, in a transaction that deletes it. Returns how
 * many: fewer than `limit` are the last ones.
 */
export function removeSettingsOfSource(tx: Transaction, store: Store, source: SourceRef, limit = Infinity): number {
  return removeFirst(
    tx,
    notificationSettings,
    store.of(notificationSettings).by.source.find(settingsPlaceKey(source)),
    limit,
  );
}

/** Settings of the group's members. */
export const groupSettingsRemoval = groupRemoval({
  phase: 9,
  remove: (tx, { store }, { id }, limit) => removeSettingsOfSource(tx, store, { type: "group", id }, limit),
});

/** The primary address is stored as null, so that it stays the primary one when that changes. */
function addressAfter(
  store: Store,
  userId: number,
  before: NotificationSettingsRecord | undefined,
  place: SettingsPlace,
  { notification_email: given }: SettingsChange,
): string | null {
  if (place !== everywhere || given === undefined) return before?.notification_email ?? null;
  if (given.trim() === "") return null;
  const user = getUser(store, userId);
  const wanted = given.trim().toLowerCase();
  if (wanted === user.email.toLowerCase()) return null;
  if (ownAddresses(store, user).has(wanted)) return wanted;
  throw invalid({ notification_email: ["must be an email you have verified"] });
}

function flagsIn(change: SettingsChange): NotificationSettingsRecord["events"] {
  const given = notificationEvents.filter((event) => change[event] !== undefined);
  return Object.fromEntries(given.map((event) => [event, change[event]]));
}
