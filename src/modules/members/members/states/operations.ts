import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../../domain/page.ts";
import { groupId } from "../../../../domain/parameters.ts";
import { getGroup, inGroup } from "../../../core/access/index.ts";
import { getUser } from "../../../core/users/index.ts";
import { noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import { requireTopLevelOwner } from "../policy-top-level.ts";
import { presentPending } from "./present.ts";
import { MemberStateSet, PendingMember, PendingMemberInPath, SetMemberState } from "./schema.ts";
import { approveAllMembers, approveMember, listPendingMemberships, updateMemberState } from "./service.ts";

const owners = inGroup(accessLevels.owner, { late: true });
const paid = { tier: "premium", isUnknownBelowTier: true } as const;

export const memberStateOperations = [
  operation({
    method: "PUT",
    path: "/groups/:id/members/:user_id/state",
    summary: "Set the state of a member (awaiting or active)",
    // The user is looked for before the group.
    who: "signed_in",
    ...paid,
    params: Type.Object({ id: groupId(), ...SetMemberState.properties }),
    answer: ok(MemberStateSet),
    failures: ["not_found", "unprocessable"],
    handle({ context, caller, params }) {
      const user = getUser(context.store, params.user_id);
      updateMemberState(context, caller, getGroup(context, caller, params.id), user.id, params.state);
      return { success: true };
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/pending_members",
    summary: "List the pending members of a group",
    who: owners,
    ...paid,
    params: Type.Object({ id: groupId() }),
    answer: pageOf(PendingMember),
    handle(call) {
      const { context, caller, group, page } = call;
      requireTopLevelOwner(context, caller, group);
      return mapPage(pageOfAll(listPendingMemberships(context, group), page), (row) => presentPending(row, call));
    },
  }),

  operation({
    method: "PUT",
    path: "/groups/:id/members/:member_id/approve",
    summary: "Approve a pending member of a group",
    who: owners,
    ...paid,
    params: Type.Object({ id: groupId(), ...PendingMemberInPath.properties }),
    answer: noContent(),
    handle({ context, caller, group, params }) {
      approveMember(context, caller, group, params.member_id);
    },
  }),

  ...(["POST", "PUT"] as const).map((method) =>
    operation({
      method,
      path: "/groups/:id/members/approve_all",
      summary: "Approve all pending members of a group",
      who: owners,
      ...paid,
      params: Type.Object({ id: groupId() }),
      answer: noContent(),
      handle({ context, caller, group }) {
        approveAllMembers(context, caller, group);
      },
    }),
  ),
];
