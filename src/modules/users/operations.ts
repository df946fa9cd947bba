import { Type } from "@sinclair/typebox";
import { mapPage } from "../../domain/page.ts";
import { allOrNone, atLeastOne, idInPath } from "../../domain/parameters.ts";
import { created, ok, operation, pageOf } from "../operation.ts";
import { listUsers } from "./list.ts";
import {
  presentBasicUser,
  presentOwnUser,
  presentUser,
  presentUserDetailsWithAdmin,
  presentUserWithAdmin,
} from "./present.ts";
import { BasicUser, CreateUser, ListUsers, OwnUser, User, UserWithAdmin } from "./schema.ts";
import { createUser, getUser } from "./service.ts";

const anyDirection = ["asc", "desc"] as const;

export const userOperations = [
  operation({
    method: "GET",
    path: "/users",
    summary: "List users",
    who: "anyone",
    scopes: ["read_user"],
    params: ListUsers,
    rules: [allOrNone("extern_uid", "provider")],
    answer: pageOf(Type.Union([UserWithAdmin, BasicUser]), {
      keyset: {
        orders: ["id", "name", "username", "created_at", "updated_at"].map((orderBy) => ({
          orderBy,
          sort: anyDirection,
        })),
        defaults: { orderBy: "id", sort: "desc" },
      },
      deepestOffsetOf: "User",
    }),
    handle({ context, caller, params, page, baseUrl }) {
      const isAdministrator = caller.user?.is_admin === true || caller.user?.is_auditor === true;
      return mapPage(listUsers(context, caller, params, page), (user) =>
        isAdministrator ? presentUserWithAdmin(context, user, caller, baseUrl) : presentBasicUser(user, baseUrl),
      );
    },
  }),

  operation({
    method: "GET",
    path: "/users/:id",
    summary: "Get a single user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({ id: idInPath("user id") }),
    answer: ok(Type.Union([UserWithAdmin, User])),
    handle({ context, caller, params, baseUrl }) {
      const user = getUser(context.store, params.id);
      const isAdministrator = caller.user.is_admin || caller.user.is_auditor;
      return isAdministrator
        ? presentUserDetailsWithAdmin(context, user, caller, baseUrl)
        : presentUser(user, caller, baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/user",
    summary: "Get the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(Type.Union([UserWithAdmin, OwnUser])),
    handle({ context, caller, baseUrl }) {
      const user = getUser(context.store, caller.user.id);
      return user.is_admin
        ? presentUserWithAdmin(context, user, caller, baseUrl)
        : presentOwnUser(context, user, caller, baseUrl);
    },
  }),

  operation({
    method: "POST",
    path: "/users",
    summary: "Create a user",
    who: "administrator",
    params: CreateUser,
    rules: [atLeastOne("password", "reset_password", "force_random_password"), allOrNone("provider", "extern_uid")],
    answer: created(UserWithAdmin),
    async handle({ context, caller, params, baseUrl }) {
      return presentUserWithAdmin(context, await createUser(context, caller, params), caller, baseUrl);
    },
  }),
];
