import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentClientKey, presentSetting } from "./present.ts";
import { ClientKey, ErrorTrackingSettings, InProject, KeyInPath, PatchSettings, PutSettings } from "./schema.ts";
import { createClientKey, deleteClientKey, listClientKeys } from "./service-client-keys.ts";
import { getSetting, replaceSetting, updateSetting } from "./service-settings.ts";

/** A caller without the level is refused before the parameters are checked. */
const managers = inProject(accessLevels.maintainer, { first: true });

/** Settings and client keys (error-tracking A and B). */
export const errorTrackingSettingOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/settings",
    summary: "Get the error tracking settings of a project",
    who: managers,
    params: InProject,
    answer: ok(ErrorTrackingSettings),
    handle: ({ context, project }) => presentSetting(getSetting(context.store, project)),
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/error_tracking/settings",
    summary: "Create the error tracking settings of a project",
    who: managers,
    params: PutSettings,
    answer: ok(ErrorTrackingSettings),
    failures: ["invalid"],
    handle: ({ context, project, params }) => presentSetting(replaceSetting(context, project, params)),
  }),

  operation({
    method: "PATCH",
    path: "/projects/:id/error_tracking/settings",
    summary: "Enable or disable the error tracking of a project",
    who: managers,
    params: PatchSettings,
    answer: ok(ErrorTrackingSettings),
    failures: ["invalid"],
    handle: ({ context, project, params }) => presentSetting(updateSetting(context, project, params)),
  }),

  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/client_keys",
    summary: "List the client keys of a project",
    who: managers,
    params: InProject,
    answer: pageOf(ClientKey),
    handle: (call) => {
      const { context, project, page } = call;
      return mapPage(listClientKeys(context, project, page), (key) => presentClientKey(key, call));
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/error_tracking/client_keys",
    summary: "Create a client key",
    who: managers,
    params: InProject,
    answer: created(ClientKey),
    handle: (call) => {
      const { context, project } = call;
      return presentClientKey(createClientKey(context, project), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/error_tracking/client_keys/:key_id",
    summary: "Delete a client key",
    who: managers,
    params: KeyInPath,
    answer: ok(ClientKey),
    handle: (call) => {
      const { context, project, params } = call;
      return presentClientKey(deleteClientKey(context, project, params.key_id), call);
    },
  }),
];
