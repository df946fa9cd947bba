import { Type } from "@sinclair/typebox";
import { notFound } from "../../../domain/failure.ts";
import { text } from "../../../domain/parameters.ts";
import type { Store } from "../../../store/index.ts";
import { findUser, findUserByUsername } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { presentStatus } from "./present.ts";
import { ChangeUserStatus, UserStatus } from "./schema.ts";
import { replaceStatus, statusOf, updateStatus } from "./service.ts";

export const userStatusOperations = [
  operation({
    method: "GET",
    path: "/user/status",
    summary: "Get the status of the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(UserStatus),
    handle: ({ context, caller }) => presentStatus(statusOf(context, caller.user.id)),
  }),

  operation({
    method: "GET",
    path: "/users/:id_or_username/status",
    summary: "Get the status of a user",
    who: "anyone",
    scopes: ["read_user"],
    params: Type.Object({ id_or_username: text({ description: "id or username", takesNumber: true }) }),
    answer: ok(UserStatus),
    handle: ({ context, params }) =>
      presentStatus(statusOf(context, getNamedUser(context.store, params.id_or_username).id)),
  }),

  operation({
    method: "PUT",
    path: "/user/status",
    summary: "Set the status of the current user, clearing omitted fields",
    who: "signed_in",
    params: ChangeUserStatus,
    answer: ok(UserStatus),
    handle: ({ context, caller, params }) => presentStatus(replaceStatus(context, caller.user.id, params)),
  }),

  operation({
    method: "PATCH",
    path: "/user/status",
    summary: "Update the status of the current user",
    who: "signed_in",
    params: ChangeUserStatus,
    answer: ok(UserStatus),
    handle: ({ context, caller, params }) => presentStatus(updateStatus(context, caller.user.id, params)),
  }),
];

/** Digits are an id before they are a username. Throws 404. */
function getNamedUser(store: Store, name: string): UserRecord {
  const byId = /^\d{1,15}$/.test(name) ? findUser(store, Number(name)) : undefined;
  const user = byId ?? findUserByUsername(store, name);
  if (user === undefined) throw notFound("User");
  return user;
}
