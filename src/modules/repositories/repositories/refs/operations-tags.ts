import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPageInTurns } from "../../../../domain/page.ts";
import { nullable, oneOf, optional, projectId, searchText, text } from "../../../../domain/parameters.ts";
import { canSeeFeature, inProject } from "../../../core/access/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import { created, noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import type { View } from "../../../kernel/view.ts";
import { findRelease } from "../../../releases/releases/records.ts";
import { protectedTagTest } from "../../protected-tags/index.ts";
import { messageCharactersMax, Tag } from "../schema.ts";
import { createTag, deleteTag, getTag, listTags, presentTag, type TagSurroundings } from "./service-tags.ts";

const path = "/projects/:id/repository/tags";
const InPath = { id: projectId(), tag_name: text({ description: "with %2F for each slash" }) };
const whoeverReads = inProject(accessLevels.none, { anonymous: true });

/** Read once for all tags of a page. */
function surroundingsOf({ context, caller }: View, project: ProjectRecord): TagSurroundings {
  const { store } = context;
  const seesReleases = canSeeFeature(context, caller.user, project, "releases");
  return {
    projectPath: projectPathOf(store, project),
    isProtected: protectedTagTest(context, project),
    findRelease: (name) => (seesReleases ? findRelease(store, project.id, name) : undefined),
  };
}

export const tagOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the tags of a repository",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      search: optional(searchText("part of the name; ^ is its beginning, $ its end")),
      order_by: optional(oneOf(["name", "updated", "version"], { description: "updated by default" })),
      sort: optional(oneOf(["asc", "desc"], { description: "desc by default" })),
    }),
    answer: pageOf(Tag),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const order = {
        search: params.search,
        orderBy: params.order_by ?? "updated",
        sort: params.sort ?? "desc",
      } as const;
      const around = surroundingsOf(call, project);
      const found = await listTags(context, caller, project, order, page);
      return mapPageInTurns(found, (tag) => presentTag(tag, call, around));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:tag_name`,
    summary: "Get a tag of a repository",
    who: whoeverReads,
    params: Type.Object(InPath),
    answer: ok(Tag),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const tag = await getTag(context, caller, project, params.tag_name);
      return presentTag(tag, call, surroundingsOf(call, project));
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a tag in a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object({
      id: projectId(),
      tag_name: text({ allowBlank: false }),
      ref: text({ allowBlank: false, description: "branch, tag or commit that it names" }),
      message: optional(nullable(text({ maxLength: messageCharactersMax, description: "makes an annotated tag" }))),
    }),
    answer: created(Tag),
    failures: ["invalid", "no_room"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const { tag_name: name, ref, message } = params;
      const tag = await createTag(context, caller, project, { name, ref, message: message ?? undefined }, baseUrl);
      return presentTag(tag, call, surroundingsOf(call, project));
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:tag_name`,
    summary: "Delete a tag of a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object(InPath),
    answer: noContent(),
    failures: ["invalid", "precondition"],
    async handle({ context, caller, project, params, unmodifiedSince, baseUrl }) {
      await deleteTag(context, caller, project, { name: params.tag_name, unmodifiedSince }, baseUrl);
    },
  }),
];
