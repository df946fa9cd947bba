import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne, mutuallyExclusive } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { Issue, presentIssue } from "../../planning/issues/index.ts";
import { presentAlert, presentAlertDetails } from "./present.ts";
import {
  Alert,
  AlertCounts,
  AlertInPath,
  ChangeAlert,
  CountAlerts,
  changeable,
  ListAlerts,
  ListedAlert,
} from "./schema.ts";
import { getAlert } from "./service-find.ts";
import { createIncident } from "./service-incidents.ts";
import { countAlerts, listAlerts } from "./service-list.ts";
import { updateAlert } from "./service-update.ts";

const path = "/projects/:id/alert_management_alerts";
const who = inProject(accessLevels.developer);

/** alerts C. */
export const alertOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the alerts of a project",
    who,
    params: ListAlerts,
    answer: pageOf(ListedAlert),
    handle: (call) => {
      const { context, project, params, page } = call;
      return mapPage(listAlerts(context, project, params, page), (alert) => presentAlert(alert, call, { project }));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/status_counts`,
    summary: "Count the alerts of a project by status",
    who,
    params: CountAlerts,
    answer: ok(AlertCounts),
    handle: ({ context, project, params }) => countAlerts(context, project, params),
  }),

  operation({
    method: "GET",
    path: `${path}/:alert_iid`,
    summary: "Get an alert",
    who,
    params: AlertInPath,
    answer: ok(Alert),
    handle: (call) => {
      const { context, project, params } = call;
      return presentAlertDetails(getAlert(context, project, params.alert_iid), call, { project });
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:alert_iid`,
    summary: "Update an alert",
    who,
    params: ChangeAlert,
    rules: [mutuallyExclusive("assignee_id", "assignee_username"), atLeastOne(...changeable)],
    answer: ok(Alert),
    failures: ["invalid"],
    handle: (call) => {
      const { context, caller, project, params } = call;
      return presentAlertDetails(updateAlert(context, caller, project, params), call, { project });
    },
  }),

  operation({
    method: "POST",
    path: `${path}/:alert_iid/incident`,
    summary: "Create an incident from an alert",
    who,
    params: AlertInPath,
    answer: created(Issue),
    failures: ["invalid"],
    handle: (call) => {
      const { context, caller, project, params, baseUrl } = call;
      return presentIssue(createIncident(context, caller, project, params.alert_iid, baseUrl), call);
    },
  }),
];
