import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { groupId, projectId } from "../../../domain/parameters.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { presentGlobalSettings, presentSourceSettings } from "./present.ts";
import { everywhere } from "./records.ts";
import {
  ChangeGlobalNotificationSettings,
  ChangeGroupNotificationSettings,
  ChangeProjectNotificationSettings,
  GlobalNotificationSettings,
  NotificationSettings,
} from "./schema.ts";
import { updateNotificationSettings } from "./service.ts";

export const notificationSettingsOperations = [
  operation({
    method: "GET",
    path: "/notification_settings",
    summary: "Get the global notification settings",
    who: "signed_in",
    params: Type.Object({}),
    answer: ok(GlobalNotificationSettings),
    handle: (call) => presentGlobalSettings(call.caller.user, call),
  }),

  operation({
    method: "PUT",
    path: "/notification_settings",
    summary: "Update the global notification settings",
    who: "signed_in",
    params: ChangeGlobalNotificationSettings,
    answer: ok(GlobalNotificationSettings),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params } = call;
      updateNotificationSettings(context, caller, everywhere, params);
      return presentGlobalSettings(caller.user, call);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/notification_settings",
    summary: "Get the notification settings of a group",
    who: inGroup(accessLevels.none),
    params: Type.Object({ id: groupId() }),
    answer: ok(NotificationSettings),
    handle(call) {
      return presentSourceSettings({ type: "group", id: call.group.id }, call, { user: call.caller.user });
    },
  }),

  operation({
    method: "PUT",
    path: "/groups/:id/notification_settings",
    summary: "Update the notification settings of a group",
    who: inGroup(accessLevels.none),
    params: ChangeGroupNotificationSettings,
    answer: ok(NotificationSettings),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, group, params } = call;
      const source = { type: "group", id: group.id } as const;
      updateNotificationSettings(context, caller, source, params);
      return presentSourceSettings(source, call, { user: caller.user });
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/notification_settings",
    summary: "Get the notification settings of a project",
    who: inProject(accessLevels.none),
    params: Type.Object({ id: projectId() }),
    answer: ok(NotificationSettings),
    handle(call) {
      return presentSourceSettings({ type: "project", id: call.project.id }, call, { user: call.caller.user });
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/notification_settings",
    summary: "Update the notification settings of a project",
    who: inProject(accessLevels.none),
    params: ChangeProjectNotificationSettings,
    answer: ok(NotificationSettings),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const source = { type: "project", id: project.id } as const;
      updateNotificationSettings(context, caller, source, params);
      return presentSourceSettings(source, call, { user: caller.user });
    },
  }),
];
