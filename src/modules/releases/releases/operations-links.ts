import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { atLeastOne } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { requireReleaseReader } from "./policy.ts";
import { presentReleaseLink } from "./present.ts";
import { linkParameters, ReleaseLinkEntity } from "./schema.ts";
import { createLink, deleteLink, getLink, getReleaseWithLinks, updateLink } from "./service-links.ts";

const path = "/projects/:id/releases/:tag_name/assets/links";
const onePath = `${path}/:link_id`;
const whoeverSees = inProject(accessLevels.none, { anonymous: true });
const developers = inProject(accessLevels.developer);
const takesJobToken = "releases";

/** releases 4. */
export const releaseLinkOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    summary: "List the links of a release",
    who: whoeverSees,
    takesJobToken,
    params: linkParameters.list,
    answer: pageOf(ReleaseLinkEntity),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireReleaseReader(context, caller, project);
      const release = getReleaseWithLinks(context.store, project, params.tag_name);
      return mapPage(pageOfAll(release.links.toReversed(), page), (link) =>
        presentReleaseLink(link, call, { project, release }),
      );
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a link of a release",
    who: whoeverSees,
    takesJobToken,
    params: linkParameters.one,
    answer: ok(ReleaseLinkEntity),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireReleaseReader(context, caller, project);
      const release = getReleaseWithLinks(context.store, project, params.tag_name);
      return presentReleaseLink(getLink(release, params.link_id), call, { project, release });
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a link of a release",
    who: developers,
    takesJobToken,
    params: linkParameters.create,
    answer: created(ReleaseLinkEntity),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireReleaseReader(context, caller, project);
      const release = getReleaseWithLinks(context.store, project, params.tag_name);
      return presentReleaseLink(createLink(context, caller, project, release, params), call, { project, release });
    },
  }),

  operation({
    method: "PUT",
    path: onePath,
    summary: "Update a link of a release",
    who: developers,
    takesJobToken,
    params: linkParameters.update,
    rules: [atLeastOne("name", "url")],
    answer: ok(ReleaseLinkEntity),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireReleaseReader(context, caller, project);
      const { id: _, tag_name, link_id, ...change } = params;
      const release = getReleaseWithLinks(context.store, project, tag_name);
      const link = getLink(release, link_id);
      const changed = updateLink(context, caller, project, release, { link, change });
      return presentReleaseLink(changed, call, { project, release });
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a link of a release",
    who: developers,
    takesJobToken,
    params: linkParameters.one,
    answer: ok(ReleaseLinkEntity),
    failures: ["precondition"],
    handle(call) {
      const { context, caller, project, params, unmodifiedSince } = call;
      requireReleaseReader(context, caller, project);
      const release = getReleaseWithLinks(context.store, project, params.tag_name);
      const link = getLink(release, params.link_id);
      deleteLink(context, caller, project, release, link, unmodifiedSince);
      return presentReleaseLink(link, call, { project, release });
    },
  }),
];
