import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
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

/** Throws 403 for a reader of the job from whom its archive is kept. A job without an archive keeps nothing. */
export function requireArtifactReader(context: Context, { user }: Caller, project: ProjectRecord, jobId: number): void {
  const level = readerLevels[findArchive(context.store, jobId)?.access ?? "public"];
  if (level === undefined || context.get(Access).levelInProject(user, project) < level) throw forbidden();
}

/** `artifacts: public` or `artifacts: access` of a CI file. */
export function accessInConfig(artifacts: unknown): ArtifactAccess {
  const { public: isPublic, access } = (artifacts ?? {}) as { readonly public?: unknown; readonly access?: unknown };
  if (access === "none" || access === "maintainer") return access;
  return access === "developer" || isPublic === false ? "private" : "public";
}
