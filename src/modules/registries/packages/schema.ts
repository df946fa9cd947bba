import { type Static, Type } from "@sinclair/typebox";
import { boolean, groupId, integer, oneOf, optional, projectId, text } from "../../../domain/parameters.ts";
import { ListedPipeline } from "../../ci/pipelines/index.ts";
import { BasicUser } from "../../core/users/index.ts";
import { packageStatuses, packageTypes } from "./records.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const dateTime = () => Type.String({ format: "date-time" });

/** The pipeline that a package came from. */
export const PackagePipeline = Type.Object(
  { ...ListedPipeline.properties, user: orNull(BasicUser) },
  { $id: "PackagePipeline" },
);

const packageFields = {
  id: Type.Integer(),
  name: Type.String(),
  version: Type.String(),
  package_type: Type.String(),
  status: Type.String(),
  _links: Type.Object({
    web_path: Type.Optional(Type.String({ description: "address of the page, without the host" })),
    delete_api_path: Type.Optional(Type.String()),
  }),
  created_at: dateTime(),
  last_downloaded_at: orNull(dateTime()),
  tags: Type.Array(Type.Unknown()),
  pipeline: orNull(PackagePipeline),
  pipelines: Type.Array(PackagePipeline),
};

/** triggers-and-pipelines 6. */
export const ListedPackage = Type.Object(packageFields, { $id: "ListedPackage" });

/** A package in the list of a group. */
export const GroupPackage = Type.Object(
  { ...packageFields, project_id: Type.Integer(), project_path: Type.String() },
  { $id: "GroupPackage" },
);

/** A package by itself also names the other versions under its name. */
export const Package = Type.Object(
  {
    ...packageFields,
    versions: Type.Array(
      Type.Object({
        id: Type.Integer(),
        version: Type.String(),
        created_at: dateTime(),
        tags: Type.Array(Type.Unknown()),
        pipeline: orNull(PackagePipeline),
      }),
    ),
  },
  { $id: "Package" },
);

export const PackageFile = Type.Object(
  {
    id: Type.Integer(),
    package_id: Type.Integer(),
    created_at: dateTime(),
    file_name: Type.String(),
    size: Type.Integer(),
    file_md5: Type.String(),
    file_sha1: Type.String(),
    file_sha256: Type.String(),
    pipelines: Type.Optional(Type.Array(PackagePipeline)),
  },
  { $id: "PackageFile" },
);

/** The answer to `select=package_file`. */
export const UploadedFile = Type.Object(
  {
    id: Type.Integer(),
    package_id: Type.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
    size: Type.Integer(),
    file_store: Type.Integer(),
    file_md5: Type.String(),
    file_sha1: Type.String(),
    file_sha256: Type.String(),
    file_name: Type.String(),
    file: Type.Object({ url: Type.String() }),
    status: Type.String(),
  },
  { $id: "UploadedPackageFile" },
);

export const Uploaded = Type.Object({ message: Type.String() });

const nameText = () =>
  text({ pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._+-]+$", description: "letters, digits, dots, _, - and +" });
const segment = "(?!\\.{1,2}(/|$))[A-Za-z0-9._+~@-]+";
const pathText = (description: string) => text({ pattern: `^${segment}(/${segment})*$`, description });

const InProject = { id: projectId() };
const InGenericPath = {
  ...InProject,
  package_name: nameText(),
  package_version: text({
    pattern: "^(?!.*\\.\\.)[A-Za-z0-9_.+-]+$",
    description: "as a name, without two dots in a row",
  }),
};
/** The file's own name, at the end of its path, has no `~` or `@` at either end. */
const file_name = text({
  pattern: `^(${segment}/)*(?!.*[~@]$)(?![~@])${segment}$`,
  description: "letters, digits, dots, _, -, +, and ~ and @ but at its ends",
});
const path = pathText("folders that the file is in");
const OfUpload = {
  status: optional(oneOf(["default", "hidden"], { description: "of the package; hidden ones are in no list" })),
  select: optional(oneOf(["package_file"], { description: "answer the file" })),
};

export const FileInPath = Type.Object({ ...InGenericPath, file_name });
export const FileInFolders = Type.Object({ ...InGenericPath, path, file_name });
export const UploadFile = Type.Object({ ...InGenericPath, file_name, ...OfUpload });
export const UploadIntoFolders = Type.Object({ ...InGenericPath, path, file_name, ...OfUpload });
export type FileAddress = Omit<Static<typeof FileInPath>, "id"> & { readonly path?: string };

const orders = ["created_at", "name", "version", "type"] as const;
const orderBy = { description: "created_at by default" };
const filters = {
  order_by: optional(oneOf(orders, orderBy)),
  sort: optional(oneOf(["asc", "desc"], { description: "asc by default" })),
  package_type: optional(oneOf(packageTypes)),
  package_name: optional(text({ description: "part of the name" })),
  package_version: optional(text()),
  include_versionless: optional(boolean({ description: "generic packages always have a version" })),
  status: optional(oneOf(packageStatuses, { description: "default, error and deprecated unless said" })),
};
export const ListPackages = Type.Object({ ...InProject, ...filters });
export const ListGroupPackages = Type.Object({
  id: groupId(),
  ...filters,
  order_by: optional(oneOf([...orders, "project_path"], orderBy)),
  exclude_subgroups: optional(boolean({ description: "those of the group's own projects only" })),
});
export type PackageFilter = Omit<Static<typeof ListGroupPackages>, "id" | "exclude_subgroups">;

export const PackageInPath = Type.Object({ ...InProject, package_id: integer() });
export const ListPackageFiles = Type.Object({
  ...PackageInPath.properties,
  order_by: optional(oneOf(["id", "created_at", "file_name"], { description: "id by default" })),
  sort: optional(oneOf(["asc", "desc"], { description: "asc by default" })),
});
export type PackageFileOrder = Omit<Static<typeof ListPackageFiles>, "id" | "package_id">;
export const FileOfPackageInPath = Type.Object({ ...PackageInPath.properties, package_file_id: integer() });
export const ListPackagePipelines = Type.Object({
  ...PackageInPath.properties,
  order_by: optional(text({ description: "id" })),
  sort: optional(text({ description: "desc" })),
});
