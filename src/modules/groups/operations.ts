import { accessLevels } from "../../domain/access-level.ts";
import { created, inGroup, ok, operation } from "../operation.ts";
import { createGroup } from "./create.ts";
import { CreateGroup, GetGroup } from "./parameters.ts";
import { presentGroupDetail } from "./present.ts";
import { GroupDetail } from "./schema.ts";

export const groupOperations = [
  operation({
    method: "POST",
    path: "/groups",
    summary: "Create a group",
    who: "signed_in",
    params: CreateGroup,
    answer: created(GroupDetail),
    failures: ["forbidden", "not_found"],
    handle({ context, caller, params, baseUrl }) {
      return presentGroupDetail(context, createGroup(context, caller, params), caller, baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id",
    summary: "Get a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: GetGroup,
    answer: ok(GroupDetail),
    handle({ context, caller, params, group, baseUrl }) {
      return presentGroupDetail(context, group, caller, baseUrl, { withProjects: params.with_projects });
    },
  }),
];
