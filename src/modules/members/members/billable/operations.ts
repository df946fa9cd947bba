import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../../domain/page.ts";
import { groupId } from "../../../../domain/parameters.ts";
import { inGroup } from "../../../core/access/index.ts";
import { noContent, operation, pageOf } from "../../../kernel/operation.ts";
import { requireTopLevelOwner } from "../policy-top-level.ts";
import { presentBillable, presentMembership } from "./present.ts";
import { BillableMember, BillableMembership, ListBillableMembers, OneBillableMember } from "./schema.ts";
import { deleteBillableMember, directMembershipsOf, indirectMembershipsOf, requireBillable } from "./service.ts";
import { listBillableMembers } from "./service-list.ts";

const owners = inGroup(accessLevels.owner, { late: true });
const paid = { tier: "premium", isUnknownBelowTier: true } as const;

export const billableOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/billable_members",
    summary: "List the billable members of a group",
    who: owners,
    ...paid,
    params: Type.Object({ id: groupId(), ...ListBillableMembers.properties }),
    answer: pageOf(BillableMember),
    handle(call) {
      const { context, caller, params, group, page } = call;
      requireTopLevelOwner(context, caller, group);
      return mapPage(listBillableMembers(context, group, params, page), (entry) =>
        presentBillable(entry, call, { group }),
      );
    },
  }),

  ...[
    { part: "memberships", of: "the hierarchy", rowsOf: directMembershipsOf },
    { part: "indirect", of: "invited groups", rowsOf: indirectMembershipsOf },
  ].map(({ part, of, rowsOf }) =>
    operation({
      method: "GET",
      path: `/groups/:id/billable_members/:user_id/${part}`,
      summary: `List the memberships of a billable member in ${of}`,
      who: owners,
      ...paid,
      params: Type.Object({ id: groupId(), ...OneBillableMember.properties }),
      answer: pageOf(BillableMembership),
      handle(call) {
        const { context, caller, params, group, page } = call;
        requireTopLevelOwner(context, caller, group);
        requireBillable(context, group, params.user_id);
        const rows = rowsOf(context, group, params.user_id);
        return mapPage(pageOfAll(rows, page), (row) => presentMembership(row, call));
      },
    }),
  ),

  operation({
    method: "DELETE",
    path: "/groups/:id/billable_members/:user_id",
    summary: "Remove a billable member from a group",
    who: owners,
    ...paid,
    params: Type.Object({ id: groupId(), ...OneBillableMember.properties }),
    answer: noContent(),
    handle({ context, caller, params, group, unmodifiedSince }) {
      deleteBillableMember(context, caller, group, params.user_id, unmodifiedSince);
    },
  }),
];
