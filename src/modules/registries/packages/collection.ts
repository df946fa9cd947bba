import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";

/** Formats that the real system knows; only generic ones are made here. */
export const packageTypes = [
  ...(["maven", "npm", "conan", "nuget", "pypi", "composer", "generic", "golang", "debian", "rubygems"] as const),
  ...(["helm", "terraform_module", "rpm", "ml_model", "cargo"] as const),
] as const;

export const packageStatuses = [
  ...(["default", "hidden", "processing", "error", "pending_destruction", "deprecated"] as const),
] as const;

/** A package of a project: files under one name and version (triggers-and-pipelines 6). */
export interface PackageRecord {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly version: string;
  readonly package_type: (typeof packageTypes)[number];
  readonly status: (typeof packageStatuses)[number];
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly last_downloaded_at: DateTime | null;
}

/** A file of a package. Of several with one name, the newest is the one that is fetched. */
export interface PackageFileRecord {
  readonly id: number;
  readonly package_id: number;
  readonly project_id: number;
  /** Of one in folders, the whole path, percent-encoded. */
  readonly file_name: string;
  readonly size: number;
  /** Also the hash of the blob that holds it. */
  readonly sha256: string;
  readonly sha1: string;
  readonly md5: string;
  readonly created_at: DateTime;
  /** Of the job that sent it. */
  readonly pipeline_id?: number;
}

/** A pipeline whose jobs sent files of a package. */
export interface PackagePipelineRecord {
  readonly id: number;
  readonly package_id: number;
  readonly project_id: number;
  readonly pipeline_id: number;
}

export const packages = collection<PackageRecord>()("packages", {
  identity: unique((each) => (isGoing(each) ? undefined : identityKey(each))),
  project_id: multi((each) => [each.project_id]),
  version: multi((each) => [each.version]),
  type: bitmap((each) => [each.package_type]),
  status: bitmap((each) => [each.status]),
  created_at: ordered((each) => each.created_at),
  name_order: ordered((each) => each.name),
  version_order: ordered((each) => each.version),
  type_order: ordered((each) => each.package_type),
  words: text({ name: (each) => each.name }),
});

export const packageFiles = collection<PackageFileRecord>()(
  "package-files",
  {
    place: multi((file) => [placeKey(file)]),
    package_id: multi((file) => [file.package_id]),
    project_id: multi((file) => [file.project_id]),
    id: ordered((file) => file.id),
  },
  { blobsOf: (file) => [file.sha256] },
);

export const packagePipelines = collection<PackagePipelineRecord>()("package-pipelines", {
  pair: unique((link) => pairKey(link)),
  package_id: multi((link) => [link.package_id]),
  project_id: multi((link) => [link.project_id]),
  pipeline_id: ordered((link) => link.pipeline_id),
});

/** A job is removing it: its name and version are free. */
export function isGoing({ status }: Pick<PackageRecord, "status">): boolean {
  return status === "pending_destruction";
}

/** Neither a name nor a version holds a blank. */
export function identityKey({
  project_id,
  name,
  version,
}: Pick<PackageRecord, "project_id" | "name" | "version">): string {
  return `${project_id} ${name} ${version}`;
}

export function placeKey({ package_id, file_name }: Pick<PackageFileRecord, "package_id" | "file_name">): string {
  return `${package_id} ${file_name}`;
}

export function pairKey(link: Pick<PackagePipelineRecord, "package_id" | "pipeline_id">): string {
  return `${link.package_id} ${link.pipeline_id}`;
}
