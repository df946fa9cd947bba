import { Type } from "@sinclair/typebox";
import { boolean, integer, projectId } from "../../../domain/parameters.ts";
import { ProjectNamespace } from "../../groups-and-projects/projects/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const dateTime = () => Type.String({ format: "date-time" });
const texts = () => arrayOf(Type.String());

export const JobTokenScope = Type.Object(
  { inbound_enabled: Type.Boolean(), outbound_enabled: Type.Boolean() },
  { $id: "JobTokenScope" },
);

/** A project of the allowlist (job-token-scope 3). */
export const AllowedProject = Type.Object(
  {
    id: Type.Integer(),
    description: nullableText(),
    name: Type.String(),
    name_with_namespace: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: dateTime(),
    default_branch: nullableText(),
    tag_list: texts(),
    topics: texts(),
    ssh_url_to_repo: Type.String(),
    http_url_to_repo: Type.String(),
    web_url: Type.String(),
    avatar_url: nullableText(),
    star_count: Type.Integer(),
    last_activity_at: dateTime(),
    namespace: ProjectNamespace,
  },
  { $id: "AllowedProject" },
);

export const AllowedGroup = Type.Object(
  { id: Type.Integer(), web_url: Type.String(), name: Type.String() },
  { $id: "AllowedGroup" },
);

export const ProjectLink = Type.Object(
  { source_project_id: Type.Integer(), target_project_id: Type.Integer() },
  { $id: "JobTokenProjectLink" },
);
export const GroupLink = Type.Object(
  { source_project_id: Type.Integer(), target_group_id: Type.Integer() },
  { $id: "JobTokenGroupLink" },
);

export const InProject = Type.Object({ id: projectId() });
export const ChangeScope = Type.Object({
  ...InProject.properties,
  enabled: boolean({ allowBlank: false, description: "whether only listed projects and groups get in" }),
});
export const NamedProject = Type.Object({ ...InProject.properties, target_project_id: integer({ allowBlank: false }) });
export const NamedGroup = Type.Object({ ...InProject.properties, target_group_id: integer({ allowBlank: false }) });
