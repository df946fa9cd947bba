import { ok, operation } from "../../kernel/operation.ts";
import { getOwnAccessToken } from "../access-tokens/index.ts";
import { presentAssociatedGroup, presentAssociatedProject } from "./present.ts";
import { AssociationsCount, CountAssociations, ListTokenAssociations, TokenAssociations } from "./schema.ts";
import { countAssociations, listAssociations } from "./service.ts";

export const userAssociationOperations = [
  operation({
    method: "GET",
    path: "/users/:id/associations_count",
    summary: "Count the associations of a user",
    who: "signed_in",
    scopes: ["read_user"],
    params: CountAssociations,
    answer: ok(AssociationsCount),
    failures: ["forbidden"],
    handle: ({ context, caller, params }) => countAssociations(context, caller, params.id),
  }),
];

export const tokenAssociationOperations = [
  operation({
    method: "GET",
    path: "/personal_access_tokens/self/associations",
    summary: "List the groups and projects that the current token can access",
    who: "signed_in",
    scopes: "any",
    params: ListTokenAssociations,
    answer: ok(TokenAssociations),
    handle(call) {
      const { context, caller, params } = call;
      const { user_id: userId } = getOwnAccessToken(context.store, caller);
      const { groups, projects } = listAssociations(context, userId, params);
      return {
        groups: groups.map((group) => presentAssociatedGroup(group, call, { userId })),
        projects: projects.map((project) => presentAssociatedProject(project, call, { userId })),
      };
    },
  }),
];
