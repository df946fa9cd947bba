import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage } from "../../../../domain/page.ts";
import { oneOf, optional, projectId, searchText, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import { branchRulesInForce } from "../../protected-branches/index.ts";
import { presentBranch } from "../present.ts";
import { Branch } from "../schema.ts";
import { createBranch, deleteBranch, getBranch, listBranches } from "./service-branches.ts";

const path = "/projects/:id/repository/branches";
const InPath = { id: projectId(), branch: text({ description: "name, with %2F for each slash" }) };
const whoeverReads = inProject(accessLevels.none, { anonymous: true });

export const branchOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the branches of a repository",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      search: optional(searchText("part of the name; ^ is its beginning, $ its end")),
      regex: optional(text({ description: "pattern in the syntax of RE2 for a part of the name" })),
      sort: optional(oneOf(["name_asc", "updated_asc", "updated_desc"], { description: "name_asc by default" })),
    }),
    answer: pageOf(Branch),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const found = await listBranches(context, caller, project, params, page);
      const rules = branchRulesInForce(context, project, { isEmpty: false });
      return mapPage(found, (branch) => presentBranch(branch, call, { project, rules }));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:branch`,
    summary: "Get a branch of a repository",
    who: whoeverReads,
    params: Type.Object(InPath),
    answer: ok(Branch),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const branch = await getBranch(context, caller, project, params.branch);
      return presentBranch(branch, call, { project, rules: branchRulesInForce(context, project, { isEmpty: false }) });
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a branch in a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object({
      id: projectId(),
      branch: text({ allowBlank: false }),
      ref: text({ allowBlank: false, description: "branch, tag or commit where it begins" }),
    }),
    answer: created(Branch),
    failures: ["invalid", "no_room"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const branch = await createBranch(context, caller, project, { name: params.branch, ref: params.ref }, baseUrl);
      return presentBranch(branch, call, { project, rules: branchRulesInForce(context, project, { isEmpty: false }) });
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:branch`,
    summary: "Delete a branch of a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object(InPath),
    answer: noContent(),
    failures: ["invalid", "precondition"],
    async handle({ context, caller, project, params, unmodifiedSince, baseUrl }) {
      await deleteBranch(context, caller, project, { name: params.branch, unmodifiedSince }, baseUrl);
    },
  }),
];
