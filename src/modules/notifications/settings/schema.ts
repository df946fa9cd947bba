import { Type } from "@sinclair/typebox";
import { boolean, groupId, optional, type ParameterOptions, projectId, text } from "../../../domain/parameters.ts";
import { type NotificationEvent, notificationEvents } from "./levels.ts";

const Level = Type.String({ description: "disabled, participating, watch, global, mention or custom" });
const Events = Type.Record(Type.String(), Type.Boolean(), { description: "only while the level is custom" });

/** notification-settings 4. */
export const GlobalNotificationSettings = Type.Object(
  { level: Level, notification_email: Type.String(), events: Type.Optional(Events) },
  { $id: "GlobalNotificationSettings" },
);

/** notification-settings 4. */
export const NotificationSettings = Type.Object(
  { level: Level, events: Type.Optional(Events) },
  { $id: "NotificationSettings" },
);

const flag = (options: ParameterOptions = {}) =>
  optional(boolean({ description: "counts at level custom", ...options }));

/** Any level text arrives: the page words its refusal. */
const changes = {
  level: optional(text({ description: "disabled, participating, watch, global, mention or custom" })),
  ...(Object.fromEntries(notificationEvents.map((event) => [event, flag()])) as Record<
    NotificationEvent,
    ReturnType<typeof flag>
  >),
  new_epic: flag({ tier: "ultimate" }),
};

export const ChangeGlobalNotificationSettings = Type.Object({
  ...changes,
  notification_email: optional(text({ description: "one's own address, verified; empty: the primary one" })),
});

export const ChangeGroupNotificationSettings = Type.Object({ id: groupId(), ...changes });
export const ChangeProjectNotificationSettings = Type.Object({ id: projectId(), ...changes });
