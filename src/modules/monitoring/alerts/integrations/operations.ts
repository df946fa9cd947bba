import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage } from "../../../../domain/page.ts";
import { projectId } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import { presentIntegration } from "../present.ts";
import {
  AlertIntegration,
  ChangeIntegration,
  CreateIntegration,
  IntegrationInPath,
  ReceivedAlerts,
  SendTestAlert,
} from "../schema.ts";
import { deleteIntegration } from "../service-removal.ts";
import { createIntegration, getIntegration, listIntegrations, resetToken, updateIntegration } from "./service.ts";
import { sendTestAlert } from "./test-alert.ts";

const path = "/projects/:id/alert_management_http_integrations";
const who = inProject(accessLevels.maintainer);

/** alerts B. */
export const integrationOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the alert integrations of a project",
    who,
    params: Type.Object({ id: projectId() }),
    answer: pageOf(AlertIntegration),
    handle: (call) => {
      const { context, project, page } = call;
      return mapPage(listIntegrations(context, project, page), (each) => presentIntegration(each, call, { project }));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:integration_id`,
    summary: "Get an alert integration",
    who,
    params: IntegrationInPath,
    answer: ok(AlertIntegration),
    handle: (call) => {
      const { context, project, params } = call;
      return presentIntegration(getIntegration(context, project, params.integration_id), call, { project });
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create an alert integration",
    who,
    params: CreateIntegration,
    answer: created(AlertIntegration),
    failures: ["invalid"],
    handle: (call) => {
      const { context, project, params } = call;
      return presentIntegration(createIntegration(context, project, params), call, { project });
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:integration_id`,
    summary: "Update an alert integration",
    who,
    params: ChangeIntegration,
    answer: ok(AlertIntegration),
    failures: ["invalid"],
    handle(call) {
      const { context, project, params } = call;
      const changed = updateIntegration(context, project, params.integration_id, params);
      return presentIntegration(changed, call, { project });
    },
  }),

  operation({
    method: "POST",
    path: `${path}/:integration_id/reset_token`,
    summary: "Reset the token of an alert integration",
    who,
    params: IntegrationInPath,
    answer: created(AlertIntegration),
    handle(call) {
      const { context, project, params } = call;
      const changed = resetToken(context, project, params.integration_id);
      return presentIntegration(changed, call, { project });
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:integration_id`,
    summary: "Delete an alert integration",
    who,
    params: IntegrationInPath,
    answer: noContent(),
    handle({ context, project, params, unmodifiedSince }) {
      deleteIntegration(context, project, params.integration_id, unmodifiedSince);
    },
  }),

  operation({
    method: "POST",
    path: `${path}/:integration_id/test_alert`,
    summary: "Send a test alert",
    who: inProject(accessLevels.developer),
    params: SendTestAlert,
    answer: ok(ReceivedAlerts),
    failures: ["invalid"],
    handle: ({ context, project, params, baseUrl }) => sendTestAlert(context, project, params, baseUrl),
  }),
];
