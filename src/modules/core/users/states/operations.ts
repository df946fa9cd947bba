import { Type } from "@sinclair/typebox";
import { idInPath, text } from "../../../../domain/parameters.ts";
import { created, noContent, ok, operation } from "../../../kernel/operation.ts";
import { deleteIdentity, disableTwoFactor } from "../attributes/service-credentials.ts";
import { UserInPath } from "../schema.ts";
import {
  activateUser,
  approveUser,
  banUser,
  blockUser,
  deactivateUser,
  rejectUser,
  unbanUser,
  unblockUser,
} from "./service.ts";

/** Whether the state changed; what is answered when it did not is the page's own. */
const Changed = Type.Union([Type.Boolean(), Type.Null()]);
const Success = Type.Object({ message: Type.Literal("Success") });
const success = { message: "Success" };

const changes = [
  ["block", "Block a user", blockUser],
  ["unblock", "Unblock a user", unblockUser],
  ["deactivate", "Deactivate a dormant user", deactivateUser],
  ["activate", "Activate a deactivated user", activateUser],
  ["ban", "Ban a user", banUser],
  ["unban", "Unban a user", unbanUser],
] as const;

/** users-and-auth 10 and 16. */
export const stateOperations = [
  ...changes.map(([verb, summary, change]) =>
    operation({
      method: "POST",
      path: `/users/:id/${verb}`,
      summary,
      who: "administrator",
      params: UserInPath,
      answer: created(Changed),
      failures: ["forbidden"],
      handle: ({ context, caller, params }) => change(context, caller, params.id),
    }),
  ),

  operation({
    method: "POST",
    path: "/users/:id/approve",
    summary: "Approve a pending user",
    who: "administrator",
    http: { forbiddenText: "You are not allowed to approve a user" },
    params: UserInPath,
    answer: created(Success),
    failures: ["conflict"],
    handle({ context, caller, params }) {
      approveUser(context, caller, params.id);
      return success;
    },
  }),

  operation({
    method: "POST",
    path: "/users/:id/reject",
    summary: "Reject a pending user",
    who: "administrator",
    http: { forbiddenText: "You are not allowed to reject a user" },
    params: UserInPath,
    answer: ok(Success),
    failures: ["conflict"],
    async handle({ context, caller, params }) {
      await rejectUser(context, caller, params.id);
      return success;
    },
  }),

  operation({
    method: "DELETE",
    path: "/users/:id/identities/:provider",
    summary: "Delete an identity of a user",
    who: "administrator",
    params: Type.Object({ id: idInPath("user id"), provider: text({ description: "external provider" }) }),
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteIdentity(context, caller, params, unmodifiedSince);
    },
  }),

  operation({
    method: "PATCH",
    path: "/users/:id/disable_two_factor",
    summary: "Disable two-factor authentication of a user",
    who: "administrator",
    params: UserInPath,
    answer: noContent(),
    handle({ context, caller, params }) {
      disableTwoFactor(context, caller, params.id);
    },
  }),
];
