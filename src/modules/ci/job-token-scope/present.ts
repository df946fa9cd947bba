import type { Static } from "@sinclair/typebox";
import { fullPathOf } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { presentSimpleProject } from "../../groups-and-projects/projects/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import type { AllowedGroup, AllowedProject, JobTokenScope } from "./schema.ts";

/** job-token-scope 3; nothing limits what the tokens of a project reach. */
export function presentScope(project: ProjectRecord): Static<typeof JobTokenScope> {
  return { inbound_enabled: projectSettingOf(project, "inbound_job_token_scope_enabled"), outbound_enabled: false };
}

/** The limited fields, also of a project that the caller would not see; its branch only with its code. */
export function presentAllowedProject(project: ProjectRecord, view: View): Static<typeof AllowedProject> {
  const {
    readme_url: _readme,
    forks_count: _forks,
    repository_storage: _storage,
    default_branch = null,
    ...shown
  } = presentSimpleProject(project, view);
  return { ...shown, default_branch };
}

export function presentAllowedGroup(
  { id, name }: GroupRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof AllowedGroup> {
  return { id, web_url: `${baseUrl}/groups/${fullPathOf(store, id)}`, name };
}
