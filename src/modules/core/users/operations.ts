import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { allOrNone, atLeastOne } from "../../../domain/parameters.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentCustomAttributes, withCustomAttributes } from "../custom-attributes/index.ts";
import { deleteUser } from "./deletion/service-delete.ts";
import { listUsers } from "./lists/service-list.ts";
import { canReadAsAdministrator } from "./policy.ts";
import {
  presentOwnUser,
  presentUser,
  presentUserDetailsWithAdmin,
  presentUserWithAdmin,
  userPresenter,
} from "./present.ts";
import {
  BasicUser,
  CreateUser,
  DeleteUser,
  ListUsers,
  ModifyUser,
  OwnUser,
  User,
  UserInPath,
  UserWithAdmin,
} from "./schema.ts";
import { getUser } from "./service.ts";
import { createUser } from "./service-create.ts";
import { updateUser } from "./service-update.ts";

const anyDirection = ["asc", "desc"] as const;

export const profileOperations = [
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
    handle(call) {
      const { context, caller, params, page } = call;
      const present = userPresenter(call, { withCustomAttributes: params.with_custom_attributes });
      return mapPage(listUsers(context, caller, params, page), present);
    },
  }),

  operation({
    method: "GET",
    path: "/users/:id",
    summary: "Get a single user",
    who: "signed_in",
    scopes: ["read_user"],
    http: { requestLimit: "users_get_by_id_limit" },
    params: Type.Object({ ...UserInPath.properties, ...withCustomAttributes }),
    answer: ok(Type.Union([UserWithAdmin, User])),
    handle(call) {
      const { context, caller, params } = call;
      const user = getUser(context.store, params.id);
      if (!canReadAsAdministrator(context, caller)) return presentUser(user, call);
      return {
        ...presentUserDetailsWithAdmin(user, call),
        ...(params.with_custom_attributes === true
          ? presentCustomAttributes({ resource: "User", id: user.id }, call)
          : {}),
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
    handle(call) {
      const { context, caller } = call;
      const user = getUser(context.store, caller.user.id);
      return user.is_admin ? presentUserWithAdmin(user, call) : presentOwnUser(user, call);
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
    async handle(call) {
      const { context, caller, params } = call;
      return presentUserWithAdmin(await createUser(context, caller, params), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/users/:id",
    summary: "Update a user",
    who: "administrator",
    params: ModifyUser,
    rules: [allOrNone("extern_uid", "provider")],
    answer: ok(UserWithAdmin),
    async handle(call) {
      const { context, caller, params } = call;
      return presentUserWithAdmin(await updateUser(context, caller, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/users/:id",
    summary: "Delete a user",
    who: "administrator",
    params: DeleteUser,
    answer: noContent(),
    failures: ["conflict"],
    handle: ({ context, caller, params, unmodifiedSince }) => deleteUser(context, caller, params, unmodifiedSince),
  }),
];
