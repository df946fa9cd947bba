import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { boolean, contentText, oneOf, optional, pathText, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import {
  created,
  file,
  noContent,
  ok,
  oneOfResponses,
  operation,
  type ResponseVariant,
} from "../../../kernel/operation.ts";
import { FileInfo, messageCharactersMax, RepositoryFile } from "../schema.ts";
import { decodeContent } from "./content.ts";
import { commitFile } from "./service-commit.ts";
import { fileHeaderTexts, getFileJson, getRawFile } from "./service-read.ts";

const path = "/projects/:id/repository/files/:file_path";
const InPath = { id: projectId(), file_path: pathText({ description: "path of the file, with %2F for each slash" }) };
const Commit = {
  branch: text({ allowBlank: false, description: "the first commit of all makes it the default branch" }),
  commit_message: text({ allowBlank: false, maxLength: messageCharactersMax }),
  start_branch: optional(text({ description: "where a new branch begins" })),
  author_email: optional(text({ maxLength: 255 })),
  author_name: optional(text({ maxLength: 255 })),
};
const Content = {
  content: contentText(),
  encoding: optional(oneOf(["text", "base64"], { description: "of content; text by default" })),
  execute_filemode: optional(boolean()),
};
const lastCommitId = optional(text({ description: "refuses when a later commit changed the file" }));
const ref = text({ allowBlank: false, description: "branch, tag or commit" });
const rawRef = text({ allowBlank: false, description: "branch, tag or commit; the default branch without it" });
const whoeverReads = inProject(accessLevels.none, { anonymous: true });

interface Given {
  readonly file_path: string;
  readonly branch: string;
  readonly commit_message: string;
  readonly start_branch?: string;
  readonly author_email?: string;
  readonly author_name?: string;
  readonly content?: string;
  readonly encoding?: "text" | "base64";
  readonly execute_filemode?: boolean;
  readonly last_commit_id?: string;
}

function changeFrom(action: "create" | "update" | "delete", given: Given) {
  return {
    action,
    path: given.file_path,
    branch: given.branch,
    message: given.commit_message,
    startBranch: given.start_branch,
    author: { name: given.author_name, email: given.author_email },
    content: action === "delete" ? undefined : decodeContent(given.content ?? "", given.encoding),
    isExecutable: given.execute_filemode,
    lastCommitId: given.last_commit_id,
  };
}

export const fileOperations = [
  operation({
    method: "POST",
    path,
    summary: "Create a file in a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object({ ...InPath, ...Commit, ...Content }),
    answer: created(FileInfo),
    failures: ["invalid", "no_room"],
    async handle({ context, caller, project, params, baseUrl }) {
      await commitFile(context, caller, project, changeFrom("create", params), baseUrl);
      return { file_path: params.file_path, branch: params.branch };
    },
  }),

  operation({
    method: "PUT",
    path,
    summary: "Update a file in a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object({ ...InPath, ...Commit, ...Content, last_commit_id: lastCommitId }),
    answer: ok(FileInfo),
    failures: ["invalid", "no_room"],
    async handle({ context, caller, project, params, baseUrl }) {
      await commitFile(context, caller, project, changeFrom("update", params), baseUrl);
      return { file_path: params.file_path, branch: params.branch };
    },
  }),

  operation({
    method: "DELETE",
    path,
    summary: "Delete a file from a repository",
    who: inProject(accessLevels.developer),
    params: Type.Object({ ...InPath, ...Commit, last_commit_id: lastCommitId }),
    answer: noContent(),
    failures: ["invalid", "no_room"],
    async handle({ context, caller, project, params, baseUrl }) {
      await commitFile(context, caller, project, changeFrom("delete", params), baseUrl);
    },
  }),

  operation({
    method: "GET",
    path,
    summary: "Get a file from a repository",
    who: whoeverReads,
    scopes: ["read_repository"],
    params: Type.Object({ ...InPath, ref }),
    answer: oneOfResponses({ answer: ok(RepositoryFile), headers: fileHeaderTexts }),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params }): Promise<ResponseVariant> {
      return { kind: "ok", ...(await getFileJson(context, caller, project, params)) };
    },
  }),

  operation({
    method: "GET",
    path: `${path}/raw`,
    summary: "Get a raw file from a repository",
    who: whoeverReads,
    scopes: ["read_repository"],
    params: Type.Object({ ...InPath, ref: optional(rawRef) }),
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params }) {
      return getRawFile(context, caller, project, params);
    },
  }),
];
