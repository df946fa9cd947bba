import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentProtectedBranch } from "./present.ts";
import { CreateProtectedBranch, ListRules, ProtectedBranch, RuleInPath, UpdateProtectedBranch } from "./schema.ts";
import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
  updateProtectedBranch,
} from "./service.ts";

const path = "/projects/:id/protected_branches";
const onePath = `${path}/:name`;
const maintainers = inProject(accessLevels.maintainer, { first: true });
const readers = inProject(accessLevels.none, { anonymous: true });

/** protected-refs 1. */
export const protectedBranchOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the protected branches of a project",
    who: readers,
    params: ListRules,
    answer: pageOf(ProtectedBranch),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listProtectedBranches(context, caller, project, params.search);
      return mapPage(pageOfAll(found, page), (rule) => presentProtectedBranch(rule, call));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a protected branch of a project",
    who: readers,
    params: RuleInPath,
    answer: ok(ProtectedBranch),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      return presentProtectedBranch(getProtectedBranch(context, caller, project, params.name), call);
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Protect a branch, or all with a pattern",
    who: maintainers,
    params: CreateProtectedBranch,
    answer: created(ProtectedBranch),
    failures: ["conflict", "unprocessable"],
    handle(call) {
      const { context, caller, project, params } = call;
      return presentProtectedBranch(createProtectedBranch(context, caller, project, params), call);
    },
  }),

  operation({
    method: "PATCH",
    path: onePath,
    summary: "Update a protected branch",
    who: maintainers,
    params: UpdateProtectedBranch,
    answer: ok(ProtectedBranch),
    failures: ["unprocessable"],
    handle(call) {
      const { context, caller, project, params } = call;
      const { name, ...change } = params;
      return presentProtectedBranch(updateProtectedBranch(context, caller, project, name, change), call);
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Remove the protection of a branch",
    who: maintainers,
    params: RuleInPath,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      deleteProtectedBranch(context, caller, project, params.name, unmodifiedSince);
    },
  }),
];
