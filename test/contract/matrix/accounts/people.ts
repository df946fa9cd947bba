import type { SourceRef } from "../../../../src/domain/source.ts";
import { recordAuditEvent } from "../../../../src/modules/core/audit-events/index.ts";
import type { UserRecord } from "../../../../src/modules/core/users/records.ts";
import { putRequest } from "../../../support/fixtures/places.ts";
import type { Person } from "../../../support/fixtures/world.ts";
import type { MadeSamples, MakeSample, Place, Scene } from "../scene.ts";

/** Calls about states of users and places that no call makes. */
export function peopleSamples({ world, fresh }: Scene): MadeSamples {
  const newUser = () => world.user({ username: fresh() });
  const onNew =
    (suffix: string, attributes: Partial<UserRecord>): MakeSample =>
    async () => {
      const { id } = await newUser();
      world.alter(id, attributes);
      return { path: `/users/${id}${suffix}` };
    };
  const onRequest =
    (kind: "group" | "project", rest = ""): MakeSample =>
    async (_, place) => {
      const { id } = await newUser();
      const source: SourceRef = { type: kind, id: kind === "group" ? place.groupId : place.projectId };
      putRequest(world, source, id);
      return { path: `/${kind}s/${source.id}/access_requests/${id}${rest}` };
    };
  /** An act of the caller's own, so that everybody with a right to look finds it. */
  const onAct =
    (kind: "Group" | "Project") =>
    (caller: Person, { groupId, projectId }: Place) => {
      const id = kind === "Group" ? groupId : projectId;
      const event = world.store.transact((tx) =>
        recordAuditEvent(
          tx,
          world.context,
          { user: { ...caller.record, external: false }, token: undefined, ipAddress: null },
          {
            event: "sampled",
            entity: { type: kind, id, path: "place" },
            target: { type: kind, id, details: "place" },
            act: { custom_message: "Sampled" },
          },
        ),
      );
      return { path: `/${kind.toLowerCase()}s/${id}/audit_events/${event.id}` };
    };
  const pending = { state: "blocked_pending_approval" } as const;
  return {
    "POST /users/:id/approve": onNew("/approve", pending),
    "POST /users/:id/reject": onNew("/reject", pending),
    "PATCH /users/:id/disable_two_factor": onNew("/disable_two_factor", { two_factor_enabled: true }),
    "PUT /groups/:id/access_requests/:user_id/approve": onRequest("group", "/approve"),
    "DELETE /groups/:id/access_requests/:user_id": onRequest("group"),
    "PUT /projects/:id/access_requests/:user_id/approve": onRequest("project", "/approve"),
    "DELETE /projects/:id/access_requests/:user_id": onRequest("project"),
    "GET /groups/:id/audit_events/:audit_event_id": onAct("Group"),
    "GET /projects/:id/audit_events/:audit_event_id": onAct("Project"),
  };
}
