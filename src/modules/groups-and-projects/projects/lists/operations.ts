import { Type } from "@sinclair/typebox";
import { notFound } from "../../../../domain/failure.ts";
import { mapPage } from "../../../../domain/page.ts";
import { text } from "../../../../domain/parameters.ts";
import { canSeeProfile, findUser, findUserByUsername } from "../../../core/users/index.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { operation, pageOf } from "../../../kernel/operation.ts";
import { projectPresenter } from "../present-project.ts";
import { AnyProject } from "../schema.ts";
import { ListContributedProjects, ListProjects } from "../schema-parameters.ts";
import { personalNamespaceOf } from "../service-create.ts";
import { starredBy } from "../service-stars.ts";
import { contributedBy } from "./service-contributions.ts";
import { listProjects, requirePairedOrder } from "./service-list.ts";

/** Finds the user by id or username. Throws 404. */
function getNamedUser({ store }: Context, named: string): UserRecord {
  const user = /^\d+$/.test(named) ? findUser(store, Number(named)) : findUserByUsername(store, named);
  if (user === undefined) throw notFound("User");
  return user;
}

export const listOperations = [
  operation({
    method: "GET",
    path: "/projects",
    summary: "List projects",
    who: "anyone",
    params: Type.Object(ListProjects),
    answer: pageOf(AnyProject, {
      keyset: {
        orders: [{ orderBy: "id", sort: ["asc", "desc"] }],
        defaults: { orderBy: "created_at", sort: "desc" },
        continuation: "id",
      },
    }),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params, page } = call;
      requirePairedOrder(params);
      return mapPage(listProjects(context, caller, params, page), projectPresenter(call, params));
    },
  }),

  operation({
    method: "GET",
    path: "/users/:user_id/projects",
    summary: "List the projects of a user",
    who: "anyone",
    scopes: ["read_user"],
    params: Type.Object({ user_id: text({ description: "id or username", takesNumber: true }), ...ListProjects }),
    answer: pageOf(AnyProject),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params, page } = call;
      const { id } = personalNamespaceOf(context, getNamedUser(context, params.user_id).id);
      const scope = [{ index: "namespace_id", key: id } as const];
      return mapPage(listProjects(context, caller, params, page, scope), projectPresenter(call, params));
    },
  }),

  operation({
    method: "GET",
    path: "/users/:user_id/starred_projects",
    summary: "List the projects that a user starred",
    who: "anyone",
    scopes: ["read_user"],
    params: Type.Object({ user_id: text({ description: "id or username", takesNumber: true }), ...ListProjects }),
    answer: pageOf(AnyProject),
    handle(call) {
      const { context, caller, params, page } = call;
      const user = getNamedUser(context, params.user_id);
      const ids = canSeeProfile(context, caller, user) ? starredBy(context.store, user.id) : [];
      return mapPage(listProjects(context, caller, params, page, [{ ids }]), projectPresenter(call, params));
    },
  }),

  operation({
    method: "GET",
    path: "/users/:user_id/contributed_projects",
    summary: "List the projects that a user contributed to",
    who: "anyone",
    scopes: ["read_user"],
    params: Type.Object({
      user_id: text({ description: "id or username", takesNumber: true }),
      ...ListContributedProjects,
    }),
    answer: pageOf(AnyProject),
    handle(call) {
      const { context, caller, params, page } = call;
      const user = getNamedUser(context, params.user_id);
      const ids = canSeeProfile(context, caller, user) ? contributedBy(context, user) : [];
      const own = { index: "namespace_id", key: personalNamespaceOf(context, user.id).id } as const;
      const found = listProjects(context, caller, params, page, [{ ids }, { not: own }]);
      return mapPage(found, projectPresenter(call, params));
    },
  }),
];
