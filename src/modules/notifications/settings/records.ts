import type { SourceRef } from "../../../domain/source.ts";
import { collection, field, multi, type RecordOf, record, unique } from "../../../store/index.ts";
import { initialFlags, type NotificationEvent, notificationEvents, notificationLevels } from "./levels.ts";

/** The scope of settings: a group, a project, or everything. */
export type SettingsPlace = SourceRef | typeof everywhere;

export const everywhere = { type: "global", id: 0 } as const;

const eventFlags = Object.fromEntries(notificationEvents.map((event) => [event, field.flag])) as {
  readonly [E in NotificationEvent]: typeof field.flag;
};

/** The settings of one user for one place. No row exists before the first change. */
export const NotificationSettingsRecord = record({
  id: field.whole,
  user_id: field.whole,
  source_type: field.oneOf("group", "project", "global"),
  /** 0 for the global ones. */
  source_id: field.whole,
  level: field.oneOf(...notificationLevels),
  /** Flags that were ever set. They are stored at every level, and count at `custom`. */
  events: field.partial(field.object(eventFlags)),
  /** Global only. null: the primary address, whichever that is. */
  notification_email: field.nullable(field.text),
  created_at: field.moment,
  updated_at: field.moment,
});
export type NotificationSettingsRecord = RecordOf<typeof NotificationSettingsRecord>;

export const notificationSettings = collection("notification-settings", NotificationSettingsRecord, {
  indexes: {
    holder: unique((row) => settingsKey(placeOf(row), row.user_id)),
    user_id: multi((row) => [row.user_id]),
    source: multi((row) => (row.source_type === "global" ? [] : [settingsPlaceKey(placeOf(row))])),
    /** Users who may want mail about a place without taking part in what happens: one look-up for each event. */
    wanted: multi((row) => wishesOf(row).map((wish) => choiceKey(placeOf(row), wish))),
  },
  references: { user_id: "users", source_id: { by: "source_type", of: { group: "groups", project: "projects" } } },
});

/** Every event, or one. */
export type NotificationChoice = "watch" | NotificationEvent;

export function settingsPlaceKey({ type, id }: SettingsPlace): string {
  return `${type} ${id}`;
}

export function settingsKey(place: SettingsPlace, userId: number): string {
  return `${settingsPlaceKey(place)} ${userId}`;
}

export function choiceKey(place: SettingsPlace, wish: NotificationChoice): string {
  return `${settingsPlaceKey(place)} ${wish}`;
}

/** True when the flag is on, whatever the level. */
export function isFlagOn({ events }: Pick<NotificationSettingsRecord, "events">, event: NotificationEvent): boolean {
  return events[event] ?? initialFlags[event];
}

function placeOf({ source_type: type, source_id: id }: NotificationSettingsRecord): SettingsPlace {
  return type === "global" ? everywhere : { type, id };
}

function wishesOf(row: NotificationSettingsRecord): NotificationChoice[] {
  if (row.level === "watch") return ["watch"];
  return row.level === "custom" ? notificationEvents.filter((event) => isFlagOn(row, event)) : [];
}
