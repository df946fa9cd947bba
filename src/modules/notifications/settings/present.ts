import type { CallerUser } from "../../../domain/caller.ts";
import type { SourceRef } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { notificationEmailOf } from "./addresses.ts";
import { eventsShown } from "./levels.ts";
import { everywhere, isFlagOn, type NotificationSettingsRecord, type SettingsPlace } from "./records.ts";
import { findSettings, levelOf } from "./service.ts";

/** notification-settings 4. */
export function presentGlobalSettings(context: Context, { id }: CallerUser) {
  const row = findSettings(context.store, id, everywhere);
  const { level, ...events } = presentRow(context, row, everywhere);
  return { level, notification_email: notificationEmailOf(context.store, getUser(context.store, id), row), ...events };
}

/** notification-settings 4. */
export function presentSourceSettings(context: Context, { id }: CallerUser, source: SourceRef) {
  return presentRow(context, findSettings(context.store, id, source), source);
}

function presentRow({ edition }: Context, row: NotificationSettingsRecord | undefined, place: SettingsPlace) {
  const level = levelOf(row, place);
  if (row === undefined || level !== "custom") return { level };
  const events = Object.fromEntries(eventsShown(place.type, edition).map((event) => [event, isFlagOn(row, event)]));
  return { level, events };
}
