import type { Caller } from "../../../domain/caller.ts";
import { fullPathOf, type GroupRecord, type ProjectRecord, projectSettingsOf } from "../../core/namespaces/index.ts";
import { presentSimpleProject } from "../../groups-and-projects/projects/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { AllowedProject } from "./schema.ts";

/** job-token-scope 3; nothing limits what the tokens of a project reach. */
export function presentScope(project: ProjectRecord) {
  return { inbound_enabled: projectSettingsOf(project).inbound_job_token_scope_enabled, outbound_enabled: false };
}

/** The limited fields, also of a project that the caller would not see; its branch only with its code. */
export function presentAllowedProject(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  baseUrl: string,
): AllowedProject {
  const {
    readme_url: _readme,
    forks_count: _forks,
    repository_storage: _storage,
    default_branch = null,
    ...shown
  } = presentSimpleProject(context, caller, project, baseUrl);
  return { ...shown, default_branch, tag_list: [...shown.tag_list], topics: [...shown.topics] };
}

export function presentAllowedGroup({ store }: Context, { id, name }: GroupRecord, baseUrl: string) {
  return { id, web_url: `${baseUrl}/groups/${fullPathOf(store, id)}`, name };
}
