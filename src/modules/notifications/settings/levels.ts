/** The notification levels and events. */

import { type Edition, includesTier } from "../../../domain/edition.ts";

/** Level → its number in project objects (notification-settings 2 and 4). */
export const levelNumbers = { disabled: 0, participating: 1, watch: 2, global: 3, mention: 4, custom: 5 } as const;

export type NotificationLevel = keyof typeof levelNumbers;

export const notificationLevels = Object.keys(levelNumbers) as readonly NotificationLevel[];

/** Event → whether its flag is on by default (notification-settings 3). Named and ordered as on the wire. */
export const initialFlags = {
  new_release: false,
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  change_reviewer_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: true,
  merge_when_pipeline_succeeds: false,
  new_epic: false,
} as const;

/** The events that mails report. */
export type NotificationEvent = keyof typeof initialFlags;

export const notificationEvents = Object.keys(initialFlags) as readonly NotificationEvent[];

export function isNotificationLevel(text: string): text is NotificationLevel {
  return Object.hasOwn(levelNumbers, text);
}

/** The events that settings of this kind show under `custom`. */
export function eventsShown(kind: "global" | "group" | "project", edition: Edition): readonly NotificationEvent[] {
  const hasEpics = kind !== "project" && includesTier(edition, "ultimate");
  return hasEpics ? notificationEvents : notificationEvents.filter((event) => event !== "new_epic");
}
