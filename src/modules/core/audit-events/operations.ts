import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { needs } from "../../../domain/parameters.ts";
import { file, ok, operation, pageOf } from "../../kernel/operation.ts";
import { inGroup, inProject } from "../access/index.ts";
import { presentAuditEvent } from "./present.ts";
import {
  AuditEvent,
  ExportEvents,
  GroupEventInPath,
  InstanceEventInPath,
  ListGroupEvents,
  ListInstanceEvents,
  ListProjectEvents,
  ProjectEventInPath,
} from "./schema.ts";
import { exportEvents } from "./service-export.ts";
import { getEventOf, getInstanceEvent, listEventsOf, listInstanceEvents } from "./service-list.ts";

/** Newest first, whichever pages are asked for. */
const pages = pageOf(AuditEvent, {
  keyset: { orders: [{ orderBy: "id", sort: ["desc"] }], defaults: { orderBy: "id", sort: "desc" } },
});

export const auditEventOperations = [
  operation({
    method: "GET",
    path: "/-/audit-events/export",
    root: true,
    summary: "Export audit events, oldest first, in every edition",
    who: "administrator_first",
    params: ExportEvents,
    rules: [needs("entity_id", "entity_type")],
    answer: file({ maxAgeS: 0 }),
    handle: ({ context, params: { format = "jsonl", ...filter } }) => exportEvents(context, filter, format),
  }),

  operation({
    method: "GET",
    path: "/audit_events",
    summary: "List the audit events of the instance",
    who: "administrator_first",
    tier: "premium",
    params: ListInstanceEvents,
    rules: [needs("entity_id", "entity_type")],
    answer: pages,
    handle(call) {
      const { context, params, page } = call;
      return mapPage(listInstanceEvents(context, params, page), (event) => presentAuditEvent(event, call));
    },
  }),

  operation({
    method: "GET",
    path: "/audit_events/:id",
    summary: "Get an audit event",
    who: "administrator_first",
    tier: "premium",
    params: InstanceEventInPath,
    answer: ok(AuditEvent),
    handle(call) {
      const { context, params } = call;
      return presentAuditEvent(getInstanceEvent(context, params.id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/audit_events",
    summary: "List the audit events of a group",
    who: inGroup(accessLevels.developer),
    tier: "premium",
    params: ListGroupEvents,
    answer: pages,
    handle(call) {
      const { context, caller, group, params, page } = call;
      return mapPage(listEventsOf(context, caller, { group }, params, page), (event) => presentAuditEvent(event, call));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/audit_events/:audit_event_id",
    summary: "Get an audit event of a group",
    who: inGroup(accessLevels.developer),
    tier: "premium",
    params: GroupEventInPath,
    answer: ok(AuditEvent),
    handle(call) {
      const { context, caller, group, params } = call;
      return presentAuditEvent(getEventOf(context, caller, { group }, params.audit_event_id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/audit_events",
    summary: "List the audit events of a project",
    who: inProject(accessLevels.developer),
    tier: "premium",
    params: ListProjectEvents,
    answer: pages,
    handle(call) {
      const { context, caller, project, params, page } = call;
      return mapPage(listEventsOf(context, caller, { project }, params, page), (event) =>
        presentAuditEvent(event, call),
      );
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/audit_events/:audit_event_id",
    summary: "Get an audit event of a project",
    who: inProject(accessLevels.developer),
    tier: "premium",
    params: ProjectEventInPath,
    answer: ok(AuditEvent),
    handle(call) {
      const { context, caller, project, params } = call;
      return presentAuditEvent(getEventOf(context, caller, { project }, params.audit_event_id), call);
    },
  }),
];
