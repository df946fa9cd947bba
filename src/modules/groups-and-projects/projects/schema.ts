import { type TSchema, Type } from "@sinclair/typebox";
import { customAttributesField } from "../../core/custom-attributes/index.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { initialProjectSettings, projectFeatures } from "./records.ts";
import { enabledFeatures } from "./settings.ts";

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const nullableText = () => nullable(Type.String());
const dateTime = () => Type.String({ format: "date-time" });
const texts = () => arrayOf(Type.String());

/** The namespace of a project (groups-and-projects 3.4). */
export const ProjectNamespace = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.String(),
    full_path: Type.String(),
    parent_id: nullable(Type.Integer()),
    avatar_url: nullableText(),
    web_url: Type.String(),
  },
  { $id: "ProjectNamespace" },
);

/** groups-and-projects 3.4, "identity". */
export const ProjectIdentity = Type.Object(
  {
    id: Type.Integer(),
    description: nullableText(),
    name: Type.String(),
    name_with_namespace: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: dateTime(),
  },
  { $id: "ProjectIdentity" },
);

/** The license of a project's code. */
export const License = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    nickname: nullableText(),
    html_url: nullableText(),
    source_url: nullableText(),
  },
  { $id: "License" },
);

const simpleFields = {
  default_branch: Type.Optional(Type.String()),
  tag_list: texts(),
  topics: texts(),
  ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: Type.Optional(nullableText()),
  forks_count: Type.Optional(Type.Integer()),
  avatar_url: nullableText(),
  star_count: Type.Integer(),
  last_activity_at: dateTime(),
  namespace: ProjectNamespace,
  repository_storage: Type.Optional(Type.String()),
  license_url: Type.Optional(nullableText()),
  license: Type.Optional(nullable(License)),
  ...customAttributesField,
};

/** groups-and-projects 3.4, "simple". */
export const SimpleProject = Type.Object(
  {
    ...ProjectIdentity.properties,
    ...simpleFields,
  },
  { $id: "SimpleProject" },
);

const Access = nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }));

/** Settings whose initial value says nothing of their type. */
const numbers: ReadonlySet<string> = new Set(["ci_delete_pipelines_in_seconds", "max_artifacts_size"]);

const { inbound_job_token_scope_enabled: _, ...shownSettings } = initialProjectSettings;
const settingFields = Object.fromEntries(
  Object.entries(shownSettings).map(([name, value]) => [name, Type.Optional(typeOfSetting(name, value))]),
);
const enabledFields = Object.fromEntries(Object.keys(enabledFeatures).map((name) => [name, Type.Boolean()]));
const levelFields = Object.fromEntries(
  projectFeatures.map((feature) => [`${feature}_access_level`, Type.Optional(Type.String())]),
);

export const SharedWithGroup = Type.Object({
  group_id: Type.Integer(),
  group_name: Type.String(),
  group_full_path: Type.String(),
  group_access_level: Type.Integer(),
  expires_at: nullable(Type.String({ format: "date" })),
});

const statistics = [
  "commit_count",
  "storage_size",
  "repository_size",
  "wiki_size",
  "lfs_objects_size",
  "job_artifacts_size",
  "pipeline_artifacts_size",
  "packages_size",
  "snippets_size",
  "uploads_size",
  "container_registry_size",
] as const;

const links = [
  "self",
  "issues",
  "merge_requests",
  "repo_branches",
  "labels",
  "events",
  "members",
  "cluster_agents",
] as const;

/** Links that are left out where the caller does not see the part. */
const linksOfParts: ReadonlySet<string> = new Set(["issues", "merge_requests"]);

export const ContainerExpirationPolicy = Type.Object(
  {
    cadence: Type.String(),
    enabled: Type.Boolean(),
    keep_n: nullable(Type.Integer()),
    older_than: nullableText(),
    name_regex: nullableText(),
    name_regex_keep: nullableText(),
    next_run_at: dateTime(),
  },
  { $id: "ContainerExpirationPolicy" },
);

/** groups-and-projects 3.4, "normal". Optional fields depend on the caller, the edition and the parameters. */
export const Project = Type.Object(
  {
    ...SimpleProject.properties,
    ...settingFields,
    ...levelFields,
    ...enabledFields,
    permissions: Type.Optional(Type.Object({ project_access: Access, group_access: Access })),
    visibility: Type.String(),
    owner: Type.Optional(BasicUser),
    creator_id: nullable(Type.Integer()),
    archived: Type.Boolean(),
    empty_repo: Type.Boolean(),
    emails_disabled: Type.Boolean(),
    can_create_merge_request_in: Type.Boolean(),
    ci_job_token_scope_enabled: Type.Optional(Type.Boolean()),
    description_html: Type.String(),
    repository_object_format: Type.String(),
    open_issues_count: Type.Optional(Type.Integer()),
    import_url: Type.Optional(nullableText()),
    import_type: Type.Optional(nullableText()),
    import_status: Type.String(),
    import_error: Type.Optional(nullableText()),
    runners_token: Type.Optional(Type.String()),
    service_desk_address: Type.Optional(nullableText()),
    runner_token_expiration_interval: Type.Optional(nullable(Type.Integer())),
    container_registry_image_prefix: Type.String(),
    shared_with_groups: Type.Array(SharedWithGroup),
    container_expiration_policy: ContainerExpirationPolicy,
    updated_at: dateTime(),
    statistics: Type.Optional(
      Type.Object(Object.fromEntries(statistics.map((name) => [name, Type.Integer()])), { $id: "ProjectStatistics" }),
    ),
    _links: Type.Object(
      Object.fromEntries(
        links.map((name) => [name, linksOfParts.has(name) ? Type.Optional(Type.String()) : Type.String()]),
      ),
    ),
    marked_for_deletion_at: Type.Optional(Type.Null()),
    marked_for_deletion_on: Type.Optional(Type.Null()),
    compliance_frameworks: Type.Optional(texts()),
    requirements_enabled: Type.Optional(Type.Boolean()),
    security_and_compliance_enabled: Type.Optional(Type.Boolean()),
    external: Type.Optional(Type.Boolean()),
  },
  { $id: "Project" },
);

export const AnyProject = Type.Union([Project, SimpleProject]);

function typeOfSetting(name: string, value: string | number | boolean | readonly string[] | null): TSchema {
  if (numbers.has(name)) return nullable(Type.Integer());
  if (Array.isArray(value)) return texts();
  if (typeof value === "boolean") return Type.Boolean();
  if (typeof value === "number") return nullable(Type.Integer());
  return nullableText();
}

/** An entry of the lists of groups around a project. */
export const GroupOfProject = Type.Object(
  {
    id: Type.Integer(),
    web_url: Type.String(),
    name: Type.String(),
    avatar_url: nullableText(),
    full_name: Type.String(),
    full_path: Type.String(),
  },
  { $id: "GroupOfProject" },
);

/** A user who starred a project. */
export const Starrer = Type.Object({ starred_since: dateTime(), user: BasicUser }, { $id: "Starrer" });

export const ProjectStorage = Type.Object(
  { project_id: Type.Integer(), disk_path: Type.String(), created_at: dateTime(), repository_storage: Type.String() },
  { $id: "ProjectStorage" },
);
