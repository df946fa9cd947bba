import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, unique } from "../../../store/index.ts";
import type { SourceRef } from "../../core/access/index.ts";
import { initialFlags, type NotificationEvent, type NotificationLevel, notificationEvents } from "./levels.ts";

/** What settings are about: a group, a project, or everything. */
export type SettingsPlace = SourceRef | typeof everywhere;

export const everywhere = { type: "global", id: 0 } as const;

/** What one user has set for one place. Nobody has a row before the first change. */
export interface NotificationSettingsRecord {
  readonly id: number;
  readonly user_id: number;
  readonly source_type: SettingsPlace["type"];
  /** 0 for the global ones. */
  readonly source_id: number;
  readonly level: NotificationLevel;
  /** Flags that were ever set. They are kept at every level, and count at `custom`. */
  readonly events: { readonly [E in NotificationEvent]?: boolean };
  /** Global only. null: the primary address, whichever that is. */
  readonly notification_email: string | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const notificationSettings = collection<NotificationSettingsRecord>()("notification-settings", {
  holder: unique((row) => settingsKey(placeOf(row), row.user_id)),
  user_id: multi((row) => [row.user_id]),
  source: multi((row) => (row.source_type === "global" ? [] : [placeKey(placeOf(row))])),
  /** Who may want mail about a place without having a part in what happens: one look-up for each event. */
  told: multi((row) => wishesOf(row).map((wish) => wishKey(placeOf(row), wish))),
});

/** Every event, or one. */
export type Wish = "watch" | NotificationEvent;

export function placeKey({ type, id }: SettingsPlace): string {
  return `${type} ${id}`;
}

export function settingsKey(place: SettingsPlace, userId: number): string {
  return `${placeKey(place)} ${userId}`;
}

export function wishKey(place: SettingsPlace, wish: Wish): string {
  return `${placeKey(place)} ${wish}`;
}

/** Whether a flag is on, whatever the level. */
export function isFlagOn({ events }: Pick<NotificationSettingsRecord, "events">, event: NotificationEvent): boolean {
  return events[event] ?? initialFlags[event];
}

function placeOf({ source_type: type, source_id: id }: NotificationSettingsRecord): SettingsPlace {
  return type === "global" ? everywhere : { type, id };
}

function wishesOf(row: NotificationSettingsRecord): Wish[] {
  if (row.level === "watch") return ["watch"];
  return row.level === "custom" ? notificationEvents.filter((event) => isFlagOn(row, event)) : [];
}
