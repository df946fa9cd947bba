import { forbidden } from "../../../domain/failure.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";

/** Throws 403 where a project has no packages: everybody who sees the project reads them (triggers-and-pipelines 6). */
export function requirePackageReader(project: ProjectRecord): void {
  if (!hasPackages(project)) throw forbidden();
}

/** Whether a project has a package registry. */
export function hasPackages(project: ProjectRecord): boolean {
  return projectSettingOf(project, "packages_enabled");
}

/** Throws 403 for developers of a project that takes no packages. */
export function requirePackagesEnabled(project: ProjectRecord): void {
  if (!hasPackages(project) || project.archived) throw forbidden();
}
