import { accessLevels } from "../../../domain/access-level.ts";
import { Failure, invalid } from "../../../domain/failure.ts";
import type { ParametersOf } from "../../../domain/parameters.ts";
import { piecesOf } from "../../../lib/byte-pieces.ts";
import { contentDisposition } from "../../../lib/text/content-disposition.ts";
import { inProject } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  created,
  type FileContent,
  file,
  type Operation,
  ok,
  oneOfResponses,
  operation,
  type ResponseVariant,
} from "../../kernel/operation.ts";
import type { RawBody, RawRequest } from "../../kernel/raw-request.ts";
import { requirePackageReader, requirePackagesEnabled } from "./policy.ts";
import { presentUploadedFile } from "./present.ts";
import {
  type FileAddress,
  FileInFolders,
  FileInPath,
  Uploaded,
  UploadedFile,
  UploadFile,
  UploadIntoFolders,
} from "./schema.ts";
import { getPackageFile } from "./service.ts";
import { uploadFile } from "./service-upload.ts";

const folder = "/projects/:id/packages/generic/:package_name/:package_version";
/** The limit of the real system. */
const fileBytesMax = 5 * 1024 ** 3;

const fileBody: RawBody = {
  sizeBytesMax: fileBytesMax,
  refuseSize: () => invalid("400 Bad request - File is too large"),
};

/** Uploads and downloads, of files in folders too: those have paths of any depth. */
export const genericOperations = [
  uploadOperation(`${folder}/:file_name`, UploadFile),
  uploadOperation(`${folder}/*path/:file_name`, UploadIntoFolders),
  downloadOperation(`${folder}/:file_name`, FileInPath),
  downloadOperation(`${folder}/*path/:file_name`, FileInFolders),
];

function uploadOperation(path: string, params: typeof UploadFile | typeof UploadIntoFolders): Operation {
  return operation({
    method: "PUT",
    path,
    summary: path.includes("*") ? "Upload a generic package file into a folder" : "Upload a generic package file",
    who: inProject(accessLevels.developer),
    basicRealm: "outpost",
    takesJobToken: "packages",
    params,
    body: fileBody,
    answer: oneOfResponses({ answer: created(Uploaded) }, { answer: ok(UploadedFile) }),
    failures: ["invalid", "no_room"],
    async handle({ context, caller, project, params: given, raw, baseUrl }): Promise<ResponseVariant> {
      requirePackagesEnabled(project);
      const address = given as ParametersOf<typeof UploadFile>;
      const { content, status, select } = await contentOf(raw, address);
      const stored = await uploadFile(context, caller, project, { address, status, content });
      if (select === undefined) return { kind: "created", body: { message: "201 Created" } };
      return { kind: "ok", body: presentUploadedFile({ file: stored, url: urlOf(project, address, baseUrl) }) };
    },
  });
}

function downloadOperation(path: string, params: typeof FileInPath | typeof FileInFolders): Operation {
  return operation({
    method: "GET",
    path,
    summary: path.includes("*") ? "Download a generic package file from a folder" : "Download a generic package file",
    who: inProject(accessLevels.none, { anonymous: true, asksForLogin: true }),
    basicRealm: "outpost",
    takesJobToken: "packages",
    params,
    answer: file({ maxAgeS: 0, hasRanges: true }),
    failures: ["forbidden"],
    handle({ context, project, params: given }) {
      requirePackageReader(project);
      return download(context, project, given as FileAddress);
    },
  });
}

interface Sent {
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly status?: "default" | "hidden" | undefined;
  readonly select?: "package_file" | undefined;
}

/** The body is the file, but where it is a form with one: then the other parts are parameters (gitbeaker sends forms). */
async function contentOf(raw: RawRequest, { status, select }: Omit<Sent, "content">): Promise<Sent> {
  if (raw.mediaType !== "multipart/form-data") return { content: raw.stream(), status, select };
  const { parts, bytes } = await raw.form();
  const part = parts.get("file");
  if (part === undefined || typeof part === "string") return { content: piecesOf(bytes), status, select };
  return {
    content: piecesOf(part.bytes),
    status: status ?? partOf(parts.get("status"), "status", ["default", "hidden"]),
    select: select ?? partOf(parts.get("select"), "select", ["package_file"]),
  };
}

/** The value of a part that is a parameter. Throws 400 for another than one of those. */
function partOf<V extends string>(given: unknown, name: string, values: readonly V[]): V | undefined {
  const value = values.find((each) => each === given);
  if (value === undefined && given !== undefined && given !== "") {
    throw new Failure("parameters", { error: `${name} does not have a valid value` });
  }
  return value;
}

function urlOf({ id }: ProjectRecord, address: FileAddress, baseUrl: string): string {
  const { package_name, package_version, path, file_name } = address;
  const whole = path === undefined ? file_name : `${path}/${file_name}`;
  return `${baseUrl}/api/v4/projects/${id}/packages/generic/${package_name}/${package_version}/${whole}`;
}

function download(context: Context, project: ProjectRecord, address: FileAddress): FileContent {
  const { sha256 } = getPackageFile(context, project, address);
  const name = address.file_name.split("/").at(-1) ?? "";
  return {
    contentType: "application/octet-stream",
    content: Bun.file(context.store.blobs.pathOf(sha256)),
    headers: {
      "Content-Disposition": contentDisposition("attachment", name),
      "X-Checksum-SHA256": sha256,
      ETag: `"${sha256}"`,
    },
  };
}
