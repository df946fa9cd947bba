import { accessLevels } from "../../../domain/access-level.ts";
import { mapPageInTurns } from "../../../domain/page.ts";
import { mutuallyExclusive } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { requireCodeReader, requireReleaseReader } from "./policy.ts";
import { presentRelease } from "./present.ts";
import { CreateRelease, ListReleases, OneRelease, Release, UpdateRelease } from "./schema.ts";
import { createRelease, deleteRelease, getRelease, updateRelease } from "./service.ts";
import { findCommits, listReleases } from "./service-list.ts";

const path = "/projects/:id/releases";
const onePath = `${path}/:tag_name`;
const whoeverSees = inProject(accessLevels.none, { anonymous: true });
const developers = inProject(accessLevels.developer);
const takesJobToken = "releases";
const rules = [mutuallyExclusive("milestones", "milestone_ids")];

/** releases 1. */
export const releaseOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    summary: "List the releases of a project",
    who: whoeverSees,
    takesJobToken,
    params: ListReleases,
    answer: pageOf(Release),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      requireReleaseReader(context, caller, project);
      const found = listReleases(context, project, params, page);
      const commits = await findCommits(context, caller, project, found.items);
      const around = { project, commits, hasHtml: params.include_html_description };
      return mapPageInTurns(found, (release) => presentRelease(release, call, around));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a release of a project",
    who: whoeverSees,
    takesJobToken,
    params: OneRelease,
    answer: ok(Release),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      requireCodeReader(context, caller, project);
      const release = getRelease(context.store, project, params.tag_name);
      const commits = await findCommits(context, caller, project, [release]);
      return presentRelease(release, call, { project, commits, hasHtml: params.include_html_description });
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a release of a project",
    who: developers,
    takesJobToken,
    params: CreateRelease,
    rules,
    answer: created(Release),
    failures: ["invalid", "conflict", "unprocessable", "no_room"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const release = await createRelease(context, caller, project, params, baseUrl);
      const commits = await findCommits(context, caller, project, [release]);
      return presentRelease(release, call, { project, commits });
    },
  }),

  operation({
    method: "PUT",
    path: onePath,
    summary: "Update a release of a project",
    who: developers,
    takesJobToken,
    params: UpdateRelease,
    rules,
    answer: ok(Release),
    failures: ["invalid"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const { id: _, tag_name, ...change } = params;
      const release = await updateRelease(context, caller, project, tag_name, change);
      const commits = await findCommits(context, caller, project, [release]);
      return presentRelease(release, call, { project, commits });
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a release of a project",
    who: developers,
    takesJobToken,
    params: OneRelease,
    answer: ok(Release),
    failures: ["precondition"],
    async handle(call) {
      const { context, caller, project, params, unmodifiedSince } = call;
      const release = deleteRelease(context, caller, project, params.tag_name, unmodifiedSince);
      const commits = await findCommits(context, caller, project, [release]);
      return presentRelease(release, call, { project, commits });
    },
  }),
];
