import type { Caller } from "../../../domain/caller.ts";
import { notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Condition, Store } from "../../../store/index.ts";
import { canReadPipeline } from "../../ci/pipelines/index.ts";
import { type PipelineRecord, pipelines } from "../../ci/pipelines/records.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf, projectsBelow } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { hasPackages } from "./policy.ts";
import {
  fileKey,
  identityKey,
  isBeingDeleted,
  type PackageFileRecord,
  type PackageRecord,
  packageFiles,
  packagePipelines,
  packages,
} from "./records.ts";
import type { FileAddress, PackageFileOrder, PackageFilter } from "./schema.ts";
import { removeFile } from "./service-deletion.ts";
import { storedName } from "./service-upload.ts";

type PackageCondition = Condition<typeof packages.indexes>;

const orders = {
  created_at: "created_at",
  name: "name_order",
  version: "version_order",
  type: "type_order",
  // The rest behind a sort by path has no order of its own.
  project_path: "created_at",
} as const;

const fileOrders = { id: "id", created_at: "created_at", file_name: "name_order" } as const;

/** `GET /projects/:id/packages`; of several projects for a group. */
export function listPackages(
  store: Store,
  inProjects: readonly ProjectRecord[],
  filter: PackageFilter,
  page: PageRequest,
): Page<PackageRecord> {
  const { order_by = "created_at", sort = "asc", status, package_type, package_name, package_version } = filter;
  const shown = status === undefined ? (["default", "error", "deprecated"] as const) : [status];
  const where: PackageCondition[] = [
    { anyOf: inProjects.map(({ id }) => ({ index: "project_id", key: id })) },
    { anyOf: shown.map((key) => ({ index: "status", key })) },
  ];
  if (package_type !== undefined) where.push({ index: "type", key: package_type });
  if (package_name) where.push({ index: "words", contains: [package_name] });
  if (package_version) where.push({ index: "version", key: package_version });
  const isDescending = sort === "desc";
  const first = order_by === "project_path" ? idsByPath(store, inProjects, isDescending) : undefined;
  return store.page(packages, { where, order: orders[order_by], descending: isDescending, page, first });
}

/** Orders all packages by the full paths of their projects, then by id: no index holds paths. */
function idsByPath(store: Store, inProjects: readonly ProjectRecord[], isDescending: boolean): number[] {
  const { project_id } = store.of(packages).by;
  const withPaths = inProjects.map((each) => ({ id: each.id, path: projectPathOf(store, each) }));
  withPaths.sort((a, b) => (a.path < b.path ? -1 : 1));
  const ids = withPaths.flatMap(({ id }) => [...project_id.find(id)].sort((a, b) => a - b));
  return isDescending ? ids.reverse() : ids;
}

/** The projects of a group, and of those below it, whose packages the caller may read. */
export function listProjectsWithPackages(
  context: Context,
  caller: Caller,
  { id }: GroupRecord,
  isAlone: boolean,
): ProjectRecord[] {
  const documents = context.store.of(projects);
  const ids = isAlone ? documents.by.namespace_id.find(id) : projectsBelow(context.store, id);
  return [...ids]
    .map((each) => documents.get(each) as ProjectRecord)
    .filter((each) => context.get(Access).canSeeProject(caller.user, each) && hasPackages(each));
}

/** Throws 404 for an unknown package, and for one of another project. */
export function getPackage(store: Store, project: ProjectRecord, id: number): PackageRecord {
  const found = store.of(packages).get(id);
  if (found === undefined || found.project_id !== project.id || isBeingDeleted(found)) throw notFound();
  return found;
}

/** Finds a package as `getPackage` does; 404 also for hidden ones, which can only be downloaded. */
export function getShownPackage(store: Store, project: ProjectRecord, id: number): PackageRecord {
  const found = getPackage(store, project, id);
  if (found.status === "hidden") throw notFound();
  return found;
}

/** Others under its name, by their id. */
export function otherVersions(store: Store, { id, project_id, name }: PackageRecord): readonly PackageRecord[] {
  const where: PackageCondition[] = [
    { index: "project_id", key: project_id },
    { index: "words", contains: [name] },
    { not: { index: "status", key: "hidden" } },
    { not: { index: "status", key: "pending_destruction" } },
    { not: { ids: [id] } },
  ];
  const page = { kind: "keyset", after: undefined, perPage: 100 } as const;
  const matches = (other: PackageRecord) => other.name === name;
  return store.page(packages, { where, order: "created_at", descending: true, page, matches }).items;
}

/** `GET …/package_files`, the oldest first unless said. */
export function listPackageFiles(
  store: Store,
  { id }: PackageRecord,
  { order_by = "id", sort = "asc" }: PackageFileOrder,
  page: PageRequest,
): Page<PackageFileRecord> {
  const where = [{ index: "package_id", key: id } as const];
  return store.page(packageFiles, { where, order: fileOrders[order_by], descending: sort === "desc", page });
}

/** Whether the pipeline of a package is there for a caller: it may be of a project whose pipelines are hidden. */
export function canSeePipeline(
  context: Context,
  { user }: Caller,
  pipeline: PipelineRecord | undefined,
): pipeline is PipelineRecord {
  return pipeline !== undefined && canReadPipeline(context, user, pipeline);
}

/** `GET …/pipelines`, the newest first; pages go on by the ids of pipelines, which links of one package have once each. */
export function listPackagePipelines(
  context: Context,
  caller: Caller,
  { id }: Pick<PackageRecord, "id">,
  page: PageRequest,
): Page<PipelineRecord> {
  const { store } = context;
  const documents = store.of(pipelines);
  const found = store.page(packagePipelines, {
    where: [{ index: "package_id", key: id }],
    order: "pipeline_id",
    descending: true,
    page: page.kind === "offset" ? page : { ...page, after: page.after && { key: page.after.id, id: 0 } },
    matches: (link) => canSeePipeline(context, caller, documents.get(link.pipeline_id)),
  });
  const items = found.items.map((link) => documents.get(link.pipeline_id) as PipelineRecord);
  const last = items.at(-1)?.id;
  return { ...found, items, next: found.next && last ? { key: last, id: last } : undefined };
}

/** The file that is fetched from an address, and that it was. Throws 404. */
export function getPackageFile(
  { store, clock }: Context,
  { id: project_id }: ProjectRecord,
  address: FileAddress,
): PackageFileRecord {
  const { package_name: name, package_version: version } = address;
  const packageId = store.of(packages).by.identity.find(identityKey({ project_id, name, version }));
  const found = packageId === undefined ? undefined : store.of(packages).get(packageId);
  if (found === undefined) throw notFound();
  const place = fileKey({ package_id: found.id, file_name: storedName(address) });
  const newest = [...store.of(packageFiles).by.place.find(place)].at(-1);
  const file = newest === undefined ? undefined : store.of(packageFiles).get(newest);
  if (file === undefined) throw notFound();
  store.touch(packages, { ...found, last_downloaded_at: toDateTime(clock.now()) });
  return file;
}

/** `DELETE …/package_files/:package_file_id`: its package stays. Throws 404 and 412. */
export function deletePackageFile(
  { store }: Context,
  { id: packageId }: PackageRecord,
  fileId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const file = store.of(packageFiles).get(fileId);
  if (file === undefined || file.package_id !== packageId) throw notFound();
  requireUnmodified({ updated_at: file.created_at }, unmodifiedSince);
  store.transact((tx) => removeFile(tx, store, file.id));
}
