import { type AuditEntry, recordAuditEvent } from "../../../../src/modules/core/audit-events/index.ts";
import type { Person, World } from "../../../support/fixtures/world.ts";

/** Writes an event about something as if that person had done it, and returns its id. */
export function recorderOf({ context, store }: World) {
  return (author: Person, type: AuditEntry["entity"]["type"], id: number, event = "sampled"): number => {
    const user = { ...author.record, external: false };
    return store.transact((tx) => {
      const entry: AuditEntry = {
        event,
        entity: { type, id, path: "somewhere" },
        target: { type, id, details: "something" },
        act: { custom_message: event },
      };
      return recordAuditEvent(tx, context, { user, token: undefined, ipAddress: "192.0.2.7" }, entry).id;
    });
  };
}
