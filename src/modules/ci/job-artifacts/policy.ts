import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { ArtifactAccess } from "./records.ts";
import { findArchive } from "./service.ts";

/** The level from which each kind of archive is read, by those who read jobs; undefined for nobody. */
const readerLevels = {
  public: accessLevels.none,
  private: accessLevels.developer,
  maintainer: accessLevels.maintainer,
  none: undefined,
} as const satisfies Record<ArtifactAccess, number | undefined>;

/** True when a reader of the job may read its archive too. A job without an archive refuses nobody. */
export function canReadArtifacts(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
  jobId: number,
): boolean {
  const level = readerLevels[findArchive(context.store, jobId)?.access ?? "public"];
  return level !== undefined && context.get(Access).levelInProject(user, project) >= level;
}

/** Throws 403 for a reader of the job from whom its archive is kept. */
export function requireArtifactReader(context: Context, { user }: Caller, project: ProjectRecord, jobId: number): void {
  if (!canReadArtifacts(context, user, project, jobId)) throw forbidden();
}

/** `artifacts: public` or `artifacts: access` of a CI file. */
export function accessInConfig(artifacts: unknown): ArtifactAccess {
  const { public: isPublic, access } = (artifacts ?? {}) as { readonly public?: unknown; readonly access?: unknown };
  if (access === "none" || access === "maintainer") return access;
  return access === "developer" || isPublic === false ? "private" : "public";
}
