import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { presentListedPipeline } from "../../ci/pipelines/index.ts";
import { type PipelineRecord, pipelines } from "../../ci/pipelines/records.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import type { PackageFileRecord, PackageRecord } from "./records.ts";
import type { GroupPackage, ListedPackage, Package, PackageFile, PackagePipeline, UploadedFile } from "./schema.ts";
import { canSeePipeline, listPackagePipelines, otherVersions } from "./service.ts";

/** The most pipelines that a package shows; they have a list of their own. */
const shownPipelines = 20;

interface InProject {
  readonly project: ProjectRecord;
}

export function presentPackagePipeline(pipeline: PipelineRecord, view: View): Static<typeof PackagePipeline> {
  const { store } = view.context;
  const user = findUser(store, pipeline.user_id);
  return {
    ...presentListedPipeline(pipeline, view),
    user: user === undefined ? null : presentBasicUser(user, view),
  };
}

/** triggers-and-pipelines 6. */
export function presentListedPackage(
  found: PackageRecord,
  view: View,
  { project }: InProject,
): Static<typeof ListedPackage> {
  const { context, caller, baseUrl } = view;
  const { id, name, version, package_type, status, created_at, last_downloaded_at } = found;
  const mayDelete = context.get(Access).levelInProject(caller.user, project) >= accessLevels.maintainer;
  const from = pipelinesOf(found, view);
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

/** Adds the project, which lists of a group need. */
export function presentGroupPackage(found: PackageRecord, view: View): Static<typeof GroupPackage> {
  const { store } = view.context;
  const project = store.of(projects).get(found.project_id) as ProjectRecord;
  const where = { project_id: project.id, project_path: projectPathOf(store, project) };
  return { ...presentListedPackage(found, view, { project }), ...where };
}

export function presentPackage(found: PackageRecord, view: View, options: InProject): Static<typeof Package> {
  return {
    ...presentListedPackage(found, view, options),
    versions: otherVersions(view.context.store, found).map((other) => ({
      id: other.id,
      version: other.version,
      created_at: other.created_at,
      tags: [],
      pipeline: pipelinesOf(other, view, 1)[0] ?? null,
    })),
  };
}

export function presentPackageFile(file: PackageFileRecord, view: View): Static<typeof PackageFile> {
  const { context, caller } = view;
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
    ...(canSeePipeline(context, caller, pipeline) ? { pipelines: [presentPackagePipeline(pipeline, view)] } : {}),
  };
}

/** `url`: where it was sent. */
export function presentUploadedFile({
  file,
  url,
}: {
  readonly file: PackageFileRecord;
  readonly url: string;
}): Static<typeof UploadedFile> {
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
function pipelinesOf(found: PackageRecord, view: View, perPage = shownPipelines) {
  const { context, caller } = view;
  const { items } = listPackagePipelines(context, caller, found, { kind: "keyset", after: undefined, perPage });
  return items.map((pipeline) => presentPackagePipeline(pipeline, view));
}
