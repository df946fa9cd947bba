import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";

/**
 * Throws 403 for those who see the project but not its packages: they are open to all who see a project that is not
 * private, and to reporters of one that is (triggers-and-pipelines 6).
 */
export function requirePackageReader(context: Context, caller: Caller, project: ProjectRecord): void {
  if (!canReadPackages(context, caller, project)) throw forbidden();
}

/** Whether the caller may read the packages of a project that they see. */
export function canReadPackages(context: Context, { user }: Caller, project: ProjectRecord): boolean {
  if (!projectSettingOf(project, "packages_enabled")) return false;
  return project.visibility !== "private" || context.get(Access).levelInProject(user, project) >= accessLevels.reporter;
}

/** Throws 403 for developers of a project that takes no packages. */
export function requirePackagesEnabled(project: ProjectRecord): void {
  if (!projectSettingOf(project, "packages_enabled") || project.archived) throw forbidden();
}
