import { Type } from "@sinclair/typebox";
import { unknownRoute } from "../../domain/failure.ts";
import { mapPage } from "../../domain/page.ts";
import { allOrNone, atLeastOne, idInPath, text } from "../../domain/parameters.ts";
import { presentCustomAttributes, withCustomAttributes } from "../custom-attributes/index.ts";
import { created, file, ok, operation, pageOf } from "../operation.ts";
import { drawAvatar } from "./avatar.ts";
import { listUsers } from "./list.ts";
import { readsAsAdministrator } from "./policy.ts";
import {
  listViewOf,
  presentListedUsers,
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
    keptFor: listViewOf,
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
      const present = presentListedUsers(context, caller, baseUrl, params.with_custom_attributes);
      return mapPage(listUsers(context, caller, params, page), present);
    },
  }),

  operation({
    method: "GET",
    path: "/users/:id",
    summary: "Get a single user",
    who: "signed_in",
    scopes: ["read_user"],
    limit: "users_get_by_id_limit",
    params: Type.Object({ id: idInPath("user id"), ...withCustomAttributes }),
    answer: ok(Type.Union([UserWithAdmin, User])),
    handle({ context, caller, params, baseUrl }) {
      const user = getUser(context.store, params.id);
      if (!readsAsAdministrator(context, caller)) return presentUser(context, user, caller, baseUrl);
      return {
        ...presentUserDetailsWithAdmin(context, user, caller, baseUrl),
        ...(params.with_custom_attributes === true ? presentCustomAttributes(context.store, "User", user.id) : {}),
      };
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
    rules: [atLeastOne("password", "reset_password", "force_random_password"), allOrNone("extern_uid", "provider")],
    answer: created(UserWithAdmin),
    failures: ["conflict"],
    async handle({ context, caller, params, baseUrl }) {
      return presentUserWithAdmin(context, await createUser(context, caller, params), caller, baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/-/avatars/:picture",
    root: true,
    summary: "Get the picture of a user who has uploaded none",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ picture: text({ description: "`<user id>.svg`" }) }),
    answer: file({ maxAgeS: 86_400 }),
    handle({ context, params }) {
      const id = /^(\d{1,15})\.svg$/.exec(params.picture)?.[1];
      if (id === undefined) throw unknownRoute();
      return drawAvatar(getUser(context.store, Number(id)));
    },
  }),
];
