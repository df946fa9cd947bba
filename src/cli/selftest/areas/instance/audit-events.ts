import { defineArea } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const auditEvents = defineArea("audit-events", (scenario) => {
  const id = group.get("id");
  const list = scenario.call(
    "GET /groups/:id/audit_events",
    { id },
    { expect: listWith({ entity_id: id, entity_type: "Group" }) },
  );
  const audit_event_id = list.get("0.id");
  scenario.call(
    "GET /groups/:id/audit_events/:audit_event_id",
    { id, audit_event_id },
    { expect: { id: audit_event_id } },
  );
  const project = makeProject(scenario, "audit-events").get("id");
  const events = scenario.call(
    "GET /projects/:id/audit_events",
    { id: project },
    { expect: listWith({ entity_id: project }) },
  );
  scenario.call("GET /projects/:id/audit_events/:audit_event_id", { id: project, audit_event_id: events.get("0.id") });
  scenario.call(
    "GET /audit_events",
    {},
    { query: { entity_type: "Group", entity_id: id }, expect: listWith({ id: audit_event_id }) },
  );
  scenario.call("GET /audit_events/:id", { id: audit_event_id }, { expect: { entity_id: id } });
});
