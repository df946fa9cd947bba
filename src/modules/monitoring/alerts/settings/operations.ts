import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { atLeastOne, projectId } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { noContent, ok, operation } from "../../../kernel/operation.ts";
import { ChangeIncidentSettings, ChangeOnCall, changeableSettings, IncidentSettings, OnCall } from "../schema.ts";
import { incidentSettingsOf, updateIncidentSettings } from "./service-incident-settings.ts";
import { deleteOnCall, onCallOf, updateOnCall } from "./service-on-call.ts";

const incidentPath = "/projects/:id/incident_management_settings";
const onCallPath = "/projects/:id/alert_management_on_call_integration";
const who = inProject(accessLevels.maintainer);
const params = Type.Object({ id: projectId() });

/** alerts D and E. */
export const alertSettingsOperations = [
  operation({
    method: "GET",
    path: incidentPath,
    summary: "Get the incident management settings of a project",
    who,
    params,
    answer: ok(IncidentSettings),
    handle: ({ context, project }) => incidentSettingsOf(context, project),
  }),

  operation({
    method: "PUT",
    path: incidentPath,
    summary: "Update the incident management settings of a project",
    who,
    params: ChangeIncidentSettings,
    rules: [atLeastOne(...changeableSettings)],
    answer: ok(IncidentSettings),
    handle: ({ context, project, params: given }) => updateIncidentSettings(context, project, given),
  }),

  operation({
    method: "GET",
    path: onCallPath,
    summary: "Get the on-call settings of a project",
    who,
    tier: "premium",
    params,
    answer: ok(OnCall),
    handle: ({ context, project }) => onCallOf(context, project),
  }),

  operation({
    method: "PUT",
    path: onCallPath,
    summary: "Update the on-call settings of a project",
    who,
    tier: "premium",
    params: ChangeOnCall,
    answer: ok(OnCall),
    failures: ["invalid"],
    handle: ({ context, project, params: given }) => updateOnCall(context, project, given),
  }),

  operation({
    method: "DELETE",
    path: onCallPath,
    summary: "Delete the on-call settings of a project",
    who,
    tier: "premium",
    params,
    answer: noContent(),
    handle({ context, project, unmodifiedSince }) {
      deleteOnCall(context, project, unmodifiedSince);
    },
  }),
];
