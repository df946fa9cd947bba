import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne } from "../../../domain/parameters.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { accepted, ok, operation, pageOf } from "../../kernel/operation.ts";
import { pullLevel, pushLevel, requireRegistryReader, requireRegistryWriter } from "./policy.ts";
import { presentRepository, presentTag, presentTagDetails } from "./present.ts";
import {
  AnyRepository,
  ContainerRepository,
  ContainerTag,
  ContainerTagDetails,
  DeleteTags,
  ListGroupRepositories,
  ListRepositories,
  ListTags,
  RepositoryInPath,
  TagInPath,
} from "./schema.ts";
import {
  deleteRepository,
  deleteTag,
  getRepository,
  getRepositoryById,
  getTag,
  listGroupRepositories,
  listRepositories,
} from "./service.ts";
import { deleteTags } from "./service-bulk-deletion.ts";
import { listTags } from "./service-tags.ts";

const path = "/projects/:id/registry/repositories";
const onePath = `${path}/:repository_id`;
const tagsPath = `${onePath}/tags`;
const tagPath = `${tagsPath}/:tag_name`;
/** Whoever sees a project that is not private pulls its images, and reads what images there are. */
const readers = inProject(accessLevels.none, { anonymous: true });
const takesJobToken = "container_registry";

/** triggers-and-pipelines 6. */
export const registryOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the registry repositories of a project",
    who: readers,
    takesJobToken,
    params: ListRepositories,
    answer: pageOf(ContainerRepository),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireRegistryReader(context, caller, project);
      const found = listRepositories(context.store, project, page);
      return mapPage(found, (each) => presentRepository(each, call, { extras: params }));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/registry/repositories",
    summary: "List the registry repositories of a group",
    who: inGroup(pullLevel, { anonymous: true }),
    params: ListGroupRepositories,
    answer: pageOf(ContainerRepository),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const found = listGroupRepositories(context, caller, group, page);
      return mapPage(found, (each) => presentRepository(each, call, { extras: params }));
    },
  }),

  operation({
    method: "GET",
    path: "/registry/repositories/:repository_id",
    summary: "Get a registry repository",
    who: "signed_in",
    takesJobToken,
    params: AnyRepository,
    answer: ok(ContainerRepository),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, params } = call;
      const repository = getRepositoryById(context, caller, params.repository_id);
      return presentRepository(repository, call, { extras: params });
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a registry repository",
    who: inProject(accessLevels.maintainer, { anonymous: true }),
    takesJobToken,
    params: RepositoryInPath,
    answer: accepted(),
    handle({ context, caller, project, params, unmodifiedSince }) {
      requireRegistryWriter(context, caller, project, accessLevels.maintainer);
      const repository = getRepository(context.store, project, params.repository_id);
      deleteRepository(context, caller, repository, unmodifiedSince);
    },
  }),

  operation({
    method: "GET",
    path: tagsPath,
    summary: "List the tags of a registry repository",
    who: readers,
    takesJobToken,
    params: ListTags,
    answer: pageOf(ContainerTag, {
      keyset: {
        orders: [{ orderBy: "name", sort: ["asc", "desc"] }],
        defaults: { orderBy: "name", sort: "asc" },
      },
    }),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireRegistryReader(context, caller, project);
      const repository = getRepository(context.store, project, params.repository_id);
      const found = listTags(context.store, repository, page, params.sort === "desc");
      return mapPage(found, (tag) => presentTag(tag, call, { repository }));
    },
  }),

  operation({
    method: "DELETE",
    path: tagsPath,
    summary: "Delete registry repository tags in bulk",
    who: inProject(accessLevels.maintainer, { anonymous: true }),
    takesJobToken,
    params: DeleteTags,
    rules: [atLeastOne("name_regex_delete", "name_regex")],
    answer: accepted(),
    failures: ["invalid"],
    handle({ context, caller, project, params }) {
      requireRegistryWriter(context, caller, project, accessLevels.maintainer);
      deleteTags(context, caller, getRepository(context.store, project, params.repository_id), params);
    },
  }),

  operation({
    method: "GET",
    path: tagPath,
    summary: "Get a tag of a registry repository",
    who: readers,
    takesJobToken,
    params: TagInPath,
    answer: ok(ContainerTagDetails),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireRegistryReader(context, caller, project);
      const repository = getRepository(context.store, project, params.repository_id);
      const tag = getTag(context.store, repository, params.tag_name);
      return presentTagDetails(tag, call, { repository });
    },
  }),

  operation({
    method: "DELETE",
    path: tagPath,
    summary: "Delete a tag of a registry repository",
    who: inProject(pushLevel, { anonymous: true }),
    takesJobToken,
    params: TagInPath,
    answer: ok(Type.Integer({ description: "200" })),
    handle({ context, caller, project, params, unmodifiedSince }) {
      requireRegistryWriter(context, caller, project, pushLevel);
      const repository = getRepository(context.store, project, params.repository_id);
      deleteTag(context, caller, repository, getTag(context.store, repository, params.tag_name), unmodifiedSince);
      return 200;
    },
  }),
];
