import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { mapPageInTurns } from "../../../../domain/page.ts";
import { boolean, oneOf, optional, projectId, searchText, text } from "../../../../domain/parameters.ts";
import { getProject, inProject, requireLevel } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { accepted, created, noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import type { View } from "../../../kernel/view.ts";
import {
  type BranchRights,
  branchRightsIn,
  branchRulesInForce,
  deleteProtectedBranch,
  findProtectedBranch,
  protectBranch,
} from "../../protected-branches/index.ts";
import { presentBranch } from "../present.ts";
import { Branch } from "../schema.ts";
import { createBranch, deleteBranch, getBranch, listBranches } from "./service-branches.ts";
import { deleteMergedBranches } from "./service-merged-branches.ts";

const path = "/projects/:id/repository/branches";
const InPath = { id: projectId(), branch: text({ description: "name, with %2F for each slash" }) };
const whoeverReads = inProject(accessLevels.none, { anonymous: true });

/** The project after a wait for its repository. Throws 404 and 403 for those who are no maintainers any more. */
function getMaintained(context: Context, caller: SignedInCaller, { id }: ProjectRecord): ProjectRecord {
  const project = getProject(context, caller, id);
  requireLevel(context, caller, { project }, accessLevels.maintainer);
  return project;
}

/** The rights of the caller on one branch after the other. */
function rightsIn({ context, caller }: View, project: ProjectRecord): (branch: string) => BranchRights {
  return branchRightsIn(context, caller.user, project, branchRulesInForce(context, project, { isEmpty: false }));
}

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
      const rightsOn = rightsIn(call, project);
      return mapPageInTurns(found, (branch) => presentBranch(branch, call, { project, rights: rightsOn(branch.name) }));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:branch`,
    summary: "Get a branch of a repository",
    who: whoeverReads,
    params: Type.Object(InPath),
    answer: ok(Branch, { isHeadEmpty: true }),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const branch = await getBranch(context, caller, project, params.branch);
      return presentBranch(branch, call, { project, rights: rightsIn(call, project)(branch.name) });
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
      return presentBranch(branch, call, { project, rights: rightsIn(call, project)(branch.name) });
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:branch/protect`,
    summary: "Protect a branch, in the old form",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({
      ...InPath,
      developers_can_push: optional(boolean({ description: "otherwise maintainers alone" })),
      developers_can_merge: optional(boolean({ description: "otherwise maintainers alone" })),
    }),
    answer: ok(Branch),
    failures: ["invalid", "unprocessable"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const branch = await getBranch(context, caller, project, params.branch);
      const now = getMaintained(context, caller, project);
      const developersMay = { push: params.developers_can_push, merge: params.developers_can_merge };
      protectBranch(context, caller, now, params.branch, developersMay);
      return presentBranch(branch, call, { project: now, rights: rightsIn(call, now)(branch.name) });
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:branch/unprotect`,
    summary: "Remove the protection of a branch, in the old form",
    who: inProject(accessLevels.maintainer),
    params: Type.Object(InPath),
    answer: ok(Branch),
    failures: ["invalid"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const branch = await getBranch(context, caller, project, params.branch);
      const now = getMaintained(context, caller, project);
      if (findProtectedBranch(context, now, params.branch) !== undefined) {
        deleteProtectedBranch(context, caller, now, params.branch);
      }
      return presentBranch(branch, call, { project: now, rights: rightsIn(call, now)(branch.name) });
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

  operation({
    method: "DELETE",
    path: "/projects/:id/repository/merged_branches",
    summary: "Delete the branches that are merged into the default branch",
    who: inProject(accessLevels.developer),
    params: Type.Object({ id: projectId() }),
    answer: accepted(),
    handle: ({ context, caller, project }) => deleteMergedBranches(context, caller, project),
  }),
];
