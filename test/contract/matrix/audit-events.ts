import { recordAuditEvent } from "../../../src/modules/core/audit-events/index.ts";
import { auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import type { Person } from "../../support/fixtures/world.ts";
import { at, type Samples, type Scene } from "./scene.ts";

export function auditEventSamples({ world }: Scene): Samples {
  const { context, store } = world;
  /** An act of the caller's own, so that everybody with a right to look finds it. */
  const act = (caller: Person, type: "Group" | "Project", id: number): number =>
    store.transact((tx) => {
      const user = { ...caller.record, external: false };
      const by = { user, token: undefined, ipAddress: null };
      return recordAuditEvent(tx, context, by, {
        event: "sampled",
        entity: { type, id, path: "place" },
        target: { type, id, details: "place" },
        act: { custom_message: "Sampled" },
      }).id;
    });
  return {
    "GET /audit_events": at("/audit_events"),
    "GET /audit_events/:id": () => ({ path: `/audit_events/${store.logOf(auditEvents).size}` }),
    "GET /groups/:id/audit_events": (_, { groupId }) => ({ path: `/groups/${groupId}/audit_events` }),
    "GET /groups/:id/audit_events/:audit_event_id": (caller, { groupId }) => ({
      path: `/groups/${groupId}/audit_events/${act(caller, "Group", groupId)}`,
    }),
    "GET /projects/:id/audit_events": (_, { projectId }) => ({ path: `/projects/${projectId}/audit_events` }),
    "GET /projects/:id/audit_events/:audit_event_id": (caller, { projectId }) => ({
      path: `/projects/${projectId}/audit_events/${act(caller, "Project", projectId)}`,
    }),
  };
}
