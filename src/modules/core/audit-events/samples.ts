import type { Samples } from "../../kernel/sample.ts";

export const auditEventSamples: Samples = {
  "GET /audit_events/:id": async ({ call }) => ({ path: { id: (await call("GET /audit_events")).get("0.id") } }),
  "GET /groups/:id/audit_events/:audit_event_id": async ({ call }) => ({
    path: { audit_event_id: (await call("GET /groups/:id/audit_events")).get("0.id") },
  }),
  "GET /projects/:id/audit_events/:audit_event_id": async ({ call }) => ({
    path: { audit_event_id: (await call("GET /projects/:id/audit_events")).get("0.id") },
  }),
};
