import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { boolean, list, optional, pathText, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { file, operation } from "../../../kernel/operation.ts";
import { archiveFormatOf, getArchive } from "./service.ts";

const whoeverReads = inProject(accessLevels.none, { anonymous: true });
const InQuery = {
  sha: optional(text({ description: "commit, branch or tag; the default branch without it" })),
  path: optional(pathText({ description: "only this file or folder" })),
  exclude_paths: optional(
    list(pathText(), { split: true, maxItems: 100, description: "files and folders that are left out" }),
  ),
  include_lfs_blobs: optional(boolean({ description: "changes nothing: the pointers of LFS stay as they are" })),
};

export const archiveOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/archive",
    summary: "Get an archive of a repository",
    who: whoeverReads,
    params: Type.Object({ id: projectId(), ...InQuery }),
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden", "too_large"],
    handle: ({ context, caller, project, params, raw }) =>
      getArchive(context, caller, project, { ...params, format: "tar.gz" }, raw.gone),
  }),

  operation({
    method: "GET",
    path: "/projects/:id/repository/archive.:format",
    summary: "Get an archive of a repository in a format",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      format: text({ description: "zip, tar or tar.gz; tgz and gz are tar.gz" }),
      ...InQuery,
    }),
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden", "too_large", "not_acceptable"],
    handle: ({ context, caller, project, params, raw }) =>
      getArchive(context, caller, project, { ...params, format: archiveFormatOf(params.format) }, raw.gone),
  }),
];
