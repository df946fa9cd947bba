import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { RuleInPath } from "../protected-branches/index.ts";
import { presentProtectedTag } from "./present.ts";
import { CreateProtectedTag, ListProtectedTags, ProtectedTag } from "./schema.ts";
import { createProtectedTag, deleteProtectedTag, getProtectedTag, listProtectedTags } from "./service.ts";

const path = "/projects/:id/protected_tags";
const onePath = `${path}/:name`;
const maintainers = inProject(accessLevels.maintainer, { first: true });

/** protected-refs 3. */
export const protectedTagOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the protected tags of a project",
    who: maintainers,
    params: ListProtectedTags,
    answer: pageOf(ProtectedTag),
    handle(call) {
      const { context, project, page } = call;
      const found = listProtectedTags(context.store, project);
      return mapPage(pageOfAll(found, page), (rule) => presentProtectedTag(rule, call));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a protected tag of a project",
    who: maintainers,
    params: RuleInPath,
    answer: ok(ProtectedTag),
    handle(call) {
      const { context, project, params } = call;
      return presentProtectedTag(getProtectedTag(context.store, project, params.name), call);
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Protect a tag, or all with a pattern",
    who: maintainers,
    params: CreateProtectedTag,
    answer: created(ProtectedTag),
    failures: ["unprocessable"],
    handle(call) {
      const { context, project, params } = call;
      return presentProtectedTag(createProtectedTag(context, project, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Remove the protection of a tag",
    who: maintainers,
    params: RuleInPath,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, project, params, unmodifiedSince }) {
      deleteProtectedTag(context, project, params.name, unmodifiedSince);
    },
  }),
];
