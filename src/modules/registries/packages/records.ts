import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  text,
  unique,
} from "../../../store/index.ts";

/** Formats that the real system knows; only generic ones are made here. */
export const packageTypes = [
  ...(["maven", "npm", "conan", "nuget", "pypi", "composer", "generic", "golang", "debian", "rubygems"] as const),
  ...(["helm", "terraform_module", "rpm", "ml_model", "cargo"] as const),
] as const;

export const packageStatuses = [
  ...(["default", "hidden", "processing", "error", "pending_destruction", "deprecated"] as const),
] as const;

/** A package of a project: files under one name and version (triggers-and-pipelines 6). */
export const PackageRecord = record({
  id: field.whole,
  project_id: field.whole,
  name: field.text,
  version: field.text,
  package_type: field.oneOf(...packageTypes),
  status: field.oneOf(...packageStatuses),
  created_at: field.moment,
  updated_at: field.moment,
  last_downloaded_at: field.nullable(field.moment),
});
export type PackageRecord = RecordOf<typeof PackageRecord>;

/** A file of a package. Of several with one name, the newest is the one that is fetched. */
export const PackageFileRecord = record({
  id: field.whole,
  package_id: field.whole,
  project_id: field.whole,
  /** The name of the file; for one in folders, the whole path, percent-encoded. */
  file_name: field.text,
  size: field.whole,
  /** The hash of the content, and of the blob that holds it. */
  sha256: field.text,
  sha1: field.text,
  md5: field.text,
  created_at: field.moment,
  /** The pipeline of the job that sent it. */
  pipeline_id: field.optional(field.whole),
});
export type PackageFileRecord = RecordOf<typeof PackageFileRecord>;

/** A pipeline whose jobs sent files of a package. */
export const PackagePipelineRecord = record({
  id: field.whole,
  package_id: field.whole,
  project_id: field.whole,
  pipeline_id: field.whole,
});
export type PackagePipelineRecord = RecordOf<typeof PackagePipelineRecord>;

export const packages = collection("packages", PackageRecord, {
  indexes: {
    identity: unique((each) => (isBeingDeleted(each) ? undefined : identityKey(each))),
    project_id: multi((each) => [each.project_id]),
    version: multi((each) => [each.version]),
    type: bitmap((each) => [each.package_type]),
    status: bitmap((each) => [each.status]),
    created_at: ordered((each) => each.created_at),
    name_order: ordered((each) => each.name),
    version_order: ordered((each) => each.version),
    type_order: ordered((each) => each.package_type),
    words: text({ name: (each) => each.name }),
  },
  references: { project_id: "projects" },
});

export const packageFiles = collection("package-files", PackageFileRecord, {
  indexes: {
    place: multi((file) => [fileKey(file)]),
    package_id: multi((file) => [file.package_id]),
    project_id: multi((file) => [file.project_id]),
    id: ordered((file) => file.id),
    created_at: ordered((file) => file.created_at),
    name_order: ordered((file) => file.file_name),
  },
  blobsOf: (file) => [file.sha256],
  references: { package_id: "packages", project_id: "projects" },
});

export const packagePipelines = collection("package-pipelines", PackagePipelineRecord, {
  indexes: {
    pair: unique((link) => pairKey(link)),
    package_id: multi((link) => [link.package_id]),
    project_id: multi((link) => [link.project_id]),
    pipeline_id: ordered((link) => link.pipeline_id),
  },
  references: { package_id: "packages", project_id: "projects" },
});

/** A job is removing it: its name and version are free. */
export function isBeingDeleted({ status }: Pick<PackageRecord, "status">): boolean {
  return status === "pending_destruction";
}

/** Returns a key that is unique, since neither a name nor a version holds a blank. */
export function identityKey({
  project_id,
  name,
  version,
}: Pick<PackageRecord, "project_id" | "name" | "version">): string {
  return `${project_id} ${name} ${version}`;
}

export function fileKey({ package_id, file_name }: Pick<PackageFileRecord, "package_id" | "file_name">): string {
  return `${package_id} ${file_name}`;
}

export function pairKey(link: Pick<PackagePipelineRecord, "package_id" | "pipeline_id">): string {
  return `${link.package_id} ${link.pipeline_id}`;
}
