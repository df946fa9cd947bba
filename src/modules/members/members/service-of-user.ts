import type { Static } from "@sinclair/typebox";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, findSource, recordOf } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { type MembershipRecord, memberships } from "./records.ts";
import type { UserMembership } from "./schema.ts";
import { isMinimalVisible } from "./service-direct-memberships.ts";

/** `GET /users/:id/memberships`: direct ones, oldest first (users-and-auth 14). */
export function listMembershipsOf(
  context: Context,
  userId: number,
  type: "Project" | "Namespace" | undefined,
  page: PageRequest,
): Page<MembershipRecord> {
  const { store } = context;
  const access = context.get(Access);
  const where: Condition<typeof memberships.indexes>[] = [
    { index: "user_id", key: userId },
    { not: { index: "expires_at", from: undefined, to: access.today } },
  ];
  if (type !== undefined) where.push({ index: "flag", key: type === "Project" ? "project" : "group" });
  if (!isMinimalVisible(context)) where.push({ not: { index: "flag", key: "minimal" } });
  return store.page(memberships, {
    where,
    order: "id",
    descending: false,
    page,
    matches: (row) => isThere(context, row),
  });
}

/** A group or project that is being deleted keeps its rows until the job comes to them. */
function isThere(context: Context, row: MembershipRecord): boolean {
  const source = findSource(context.store, { type: row.source_type, id: row.source_id });
  return source !== undefined && !context.get(Access).isBeingDeleted(source);
}

/** users-and-auth 14. */
export function presentUserMembership(
  row: MembershipRecord,
  { context: { store } }: View,
): Static<typeof UserMembership> {
  const source = findSource(store, { type: row.source_type, id: row.source_id });
  return {
    source_id: row.source_id,
    source_name: source === undefined ? "" : recordOf(source).name,
    source_type: row.source_type === "project" ? "Project" : "Namespace",
    access_level: row.access_level,
  };
}
