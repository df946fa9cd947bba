import type { Static } from "@sinclair/typebox";
import type { CallerUser } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { notificationEmailOf } from "./addresses.ts";
import { eventsShown } from "./levels.ts";
import { everywhere, isFlagOn, type NotificationSettingsRecord, type SettingsPlace } from "./records.ts";
import type { GlobalNotificationSettings, NotificationSettings } from "./schema.ts";
import { findSettings, levelOf } from "./service.ts";

/** notification-settings 4. */
export function presentGlobalSettings(
  { id }: CallerUser,
  { context }: View,
): Static<typeof GlobalNotificationSettings> {
  const row = findSettings(context.store, id, everywhere);
  const { level, ...events } = presentRow(context, row, everywhere);
  return { level, notification_email: notificationEmailOf(context.store, getUser(context.store, id), row), ...events };
}

/** notification-settings 4. */
export function presentSourceSettings(
  source: SourceRef,
  { context }: View,
  { user }: { readonly user: CallerUser },
): Static<typeof NotificationSettings> {
  return presentRow(context, findSettings(context.store, user.id, source), source);
}

function presentRow({ edition }: Context, row: NotificationSettingsRecord | undefined, place: SettingsPlace) {
  const level = levelOf(row, place);
  if (row === undefined || level !== "custom") return { level };
  const events = Object.fromEntries(eventsShown(place.type, edition).map((event) => [event, isFlagOn(row, event)]));
  return { level, events };
}
