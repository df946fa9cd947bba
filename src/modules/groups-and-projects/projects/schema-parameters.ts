import {
  boolean,
  dateTime,
  integer,
  list,
  mutuallyExclusive,
  nullable,
  oneOf,
  optional,
  searchText,
  text,
  upload,
  url,
} from "../../../domain/parameters.ts";
import { visibilities } from "../../../domain/visibility.ts";
import { customAttributeFilters, withCustomAttributes } from "../../core/custom-attributes/index.ts";
import { expirationPolicyParameter } from "./expiration-policy.ts";
import { settingParameters } from "./settings.ts";

const attributes = {
  name: optional(text({ description: "1 to 255 characters" })),
  path: optional(text({ description: "letters, digits, `_`, `-` and `.`" })),
  description: optional(nullable(text({ maxLength: 4_000, description: "at most 2,000 characters" }))),
  visibility: optional(oneOf(visibilities)),
  default_branch: optional(nullable(text())),
  topics: optional(list(text(), { split: true })),
  tag_list: optional(list(text(), { split: true, deprecated: true, description: "older name of topics" })),
  repository_storage: optional(nullable(text({ description: "administrators; dropped for others" }))),
  container_expiration_policy_attributes: expirationPolicyParameter,
  avatar: optional(nullable(upload({ description: "an image of at most 200 KiB" }))),
  ...settingParameters,
};

/** The parameters of `POST /projects` (groups-and-projects 3.3). */
export const CreateProject = {
  ...attributes,
  namespace_id: optional(nullable(integer({ saturate: true, description: "the caller's own by default" }))),
  initialize_with_readme: optional(boolean()),
  repository_object_format: optional(oneOf(["sha1"])),
  import_url: optional(nullable(url({ description: "refused: this server fetches no repositories" }))),
  template_name: optional(nullable(text({ description: "refused: this server has no templates" }))),
  template_project_id: optional(nullable(integer({ saturate: true, description: "refused as template_name is" }))),
};

/** One source at most. */
export const oneSource = mutuallyExclusive("import_url", "template_name", "template_project_id");

/** The parameters of `POST /projects/user/:user_id`. */
export const CreateProjectForUser = { ...CreateProject, name: text({ description: "1 to 255 characters" }) };

/** The parameters of `PUT /projects/:id`; one of them must be given. */
export const UpdateProject = attributes;

/** The parameters of reads of one project. */
export const GetProject = {
  statistics: optional(boolean({ description: "reporters and above: adds statistics" })),
  license: optional(boolean({ description: "adds license and license_url, for callers who may read the code" })),
  ...withCustomAttributes,
};

/** Orders for all callers. */
const openOrders = [
  "id",
  "name",
  "path",
  "created_at",
  "updated_at",
  "last_activity_at",
  "similarity",
  "star_count",
] as const;
/** Orders for administrators. */
export const sizeOrders = ["repository_size", "storage_size", "packages_size", "wiki_size"] as const;

/** The parameters of every list of projects (groups-and-projects 2.5). */
const listFilters = {
  archived: optional(boolean({ description: "true: archived ones only; false: none of them" })),
  visibility: optional(oneOf(visibilities)),
  search: optional(searchText("part of the name or path")),
  sort: optional(oneOf(["asc", "desc"])),
  simple: optional(boolean({ description: "less of each project" })),
  owned: optional(boolean({ description: "the caller is an owner" })),
  starred: optional(boolean({ description: "starred by the caller" })),
  with_issues_enabled: optional(boolean()),
  with_merge_requests_enabled: optional(boolean()),
  min_access_level: optional(oneOf([0, 5, 10, 15, 20, 30, 40, 50])),
  ...withCustomAttributes,
  ...customAttributeFilters,
};

/** The parameters of lists of a group's projects. */
export const ListGroupProjects = { ...listFilters, order_by: optional(oneOf(openOrders)) };

/** The parameters of `GET /projects` and `GET /users/:user_id/projects` (groups-and-projects 3.2). */
export const ListProjects = {
  ...listFilters,
  order_by: optional(
    oneOf([...openOrders, ...sizeOrders], { description: "sizes: for others than administrators, as created_at" }),
  ),
  membership: optional(boolean({ description: "the caller is a member in any way" })),
  imported: optional(boolean({ description: "only imported projects of the caller" })),
  statistics: optional(boolean({ description: "adds statistics" })),
  with_programming_language: optional(text()),
  topic: optional(list(text(), { split: true, description: "all of them" })),
  topic_id: optional(integer({ saturate: true })),
  search_namespaces: optional(boolean({ description: "search looks at full paths and names, too" })),
  id_after: optional(integer({ saturate: true })),
  id_before: optional(integer({ saturate: true })),
  last_activity_after: optional(dateTime({ description: "inclusive" })),
  last_activity_before: optional(dateTime({ description: "inclusive" })),
  updated_after: optional(dateTime({ description: "inclusive; with order_by=updated_at" })),
  updated_before: optional(dateTime({ description: "inclusive; with order_by=updated_at" })),
  repository_storage: optional(text({ description: "administrators; ignored for others" })),
};

/** The parameters of `GET /users/:user_id/contributed_projects`. */
export const ListContributedProjects = {
  order_by: ListProjects.order_by,
  sort: ListProjects.sort,
  simple: ListProjects.simple,
};
