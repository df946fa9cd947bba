import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { type PipelineRecord, pipelines, presentListedPipeline } from "../../ci/pipelines/index.ts";
import { Access } from "../../core/access/index.ts";
import { type ProjectRecord, projectPathOf, projects } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { PackageFileRecord, PackageRecord } from "./records.ts";
import { canSeePipeline, listPackagePipelines, otherVersions } from "./service.ts";

/** A package shows so many of its pipelines; they have a list of their own. */
const shownPipelines = 20;

/** What presenting needs to know beside the record. */
export interface Viewpoint {
  readonly context: Context;
  readonly caller: Caller;
  readonly project: ProjectRecord;
  readonly baseUrl: string;
}

type Asked = Omit<Viewpoint, "project">;

export function presentPackagePipeline({ store }: Context, pipeline: PipelineRecord, baseUrl: string) {
  const user = findUser(store, pipeline.user_id);
  return {
    ...presentListedPipeline(store, pipeline, baseUrl),
    user: user === undefined ? null : presentBasicUser(user, baseUrl),
  };
}

/** triggers-and-pipelines 6. */
export function presentListedPackage({ context, caller, project, baseUrl }: Viewpoint, found: PackageRecord) {
  const { id, name, version, package_type, status, created_at, last_downloaded_at } = found;
  const mayDelete = context.get(Access).levelInProject(caller.user, project) >= accessLevels.maintainer;
  const from = pipelinesOf({ context, caller, baseUrl }, found);
  return {
    id,
    name,
    version,
    package_type,
    status,
    _links: {
      ...(status === "hidden" ? {} : { web_path: `/${projectPathOf(context.store, project)}/-/packages/${id}` }),
      ...(mayDelete ? { delete_api_path: `${baseUrl}/api/v4/projects/${project.id}/packages/${id}` } : {}),
    },
    created_at,
    last_downloaded_at,
    tags: [],
    pipeline: from[0] ?? null,
    pipelines: from,
  };
}

/** In a list of a group, a package also says which project it is of. */
export function presentGroupPackage(view: Asked, found: PackageRecord) {
  const { store } = view.context;
  const project = store.of(projects).get(found.project_id) as ProjectRecord;
  const where = { project_id: project.id, project_path: projectPathOf(store, project) };
  return { ...presentListedPackage({ ...view, project }, found), ...where };
}

export function presentPackage(view: Viewpoint, found: PackageRecord) {
  return {
    ...presentListedPackage(view, found),
    versions: otherVersions(view.context.store, found).map((other) => ({
      id: other.id,
      version: other.version,
      created_at: other.created_at,
      tags: [],
      pipeline: pipelinesOf(view, other, 1)[0] ?? null,
    })),
  };
}

export function presentPackageFile({ context, caller, baseUrl }: Asked, file: PackageFileRecord) {
  const { id, package_id, created_at, file_name, size, md5, sha1, sha256, pipeline_id = 0 } = file;
  const pipeline = context.store.of(pipelines).get(pipeline_id);
  return {
    id,
    package_id,
    created_at,
    file_name,
    size,
    file_md5: md5,
    file_sha1: sha1,
    file_sha256: sha256,
    ...(canSeePipeline(context, caller, file, pipeline)
      ? { pipelines: [presentPackagePipeline(context, pipeline, baseUrl)] }
      : {}),
  };
}

/** `url`: where it was sent. */
export function presentUploadedFile(file: PackageFileRecord, url: string) {
  const { id, package_id, created_at, file_name, size, md5, sha1, sha256 } = file;
  return {
    id,
    package_id,
    created_at,
    updated_at: created_at,
    size,
    file_store: 1,
    file_md5: md5,
    file_sha1: sha1,
    file_sha256: sha256,
    file_name,
    file: { url },
    status: "default",
  };
}

/** The newest ones; how many there are is not counted. */
function pipelinesOf({ context, caller, baseUrl }: Asked, found: PackageRecord, perPage = shownPipelines) {
  const { items } = listPackagePipelines(context, caller, found, { kind: "keyset", after: undefined, perPage });
  return items.map((pipeline) => presentPackagePipeline(context, pipeline, baseUrl));
}
