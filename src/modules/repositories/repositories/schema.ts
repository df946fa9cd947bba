import { Type } from "@sinclair/typebox";
import { arrayOf } from "../../kernel/array-schema.ts";

/** Characters of the message of a commit or a tag: a page of a hundred of them stays within a few mebibytes. */
export const messageCharactersMax = 65_536;

const dateTime = () => Type.String({ format: "date-time" });
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()]);

/** triggers-and-pipelines 4, "commit". */
export const Commit = Type.Object(
  {
    id: Type.String(),
    short_id: Type.String(),
    created_at: dateTime(),
    parent_ids: arrayOf(Type.String()),
    title: Type.String(),
    message: Type.String(),
    author_name: Type.String(),
    author_email: Type.String(),
    authored_date: dateTime(),
    committer_name: Type.String(),
    committer_email: Type.String(),
    committed_date: dateTime(),
    trailers: Type.Record(Type.String(), Type.String()),
    extended_trailers: Type.Record(Type.String(), arrayOf(Type.String())),
    web_url: Type.String(),
  },
  { $id: "Commit" },
);

/** The lines that a commit adds and removes in its first parent. */
export const CommitStats = Type.Object(
  { additions: Type.Integer(), deletions: Type.Integer(), total: Type.Integer() },
  { $id: "CommitStats" },
);

/** A commit in a list; the numbers are there when they were asked for. */
export const CommitWithStats = Type.Object(
  { ...Commit.properties, stats: Type.Optional(CommitStats) },
  { $id: "CommitWithStats" },
);

/** The answer to a change of a file. */
export const FileInfo = Type.Object({ file_path: Type.String(), branch: Type.String() }, { $id: "FileInfo" });

/** triggers-and-pipelines 7, "read file". */
export const RepositoryFile = Type.Object(
  {
    file_name: Type.String(),
    file_path: Type.String(),
    size: Type.Integer(),
    encoding: Type.Literal("base64"),
    content: Type.String(),
    content_sha256: Type.String(),
    ref: Type.String(),
    blob_id: Type.String(),
    commit_id: Type.String(),
    last_commit_id: Type.String(),
    execute_filemode: Type.Boolean(),
  },
  { $id: "RepositoryFile" },
);

export const Branch = Type.Object(
  {
    name: Type.String(),
    commit: Commit,
    merged: Type.Boolean(),
    protected: Type.Boolean(),
    developers_can_push: Type.Boolean(),
    developers_can_merge: Type.Boolean(),
    can_push: Type.Boolean(),
    default: Type.Boolean(),
    web_url: Type.String(),
  },
  { $id: "Branch" },
);

export const Tag = Type.Object(
  {
    name: Type.String(),
    message: nullable(Type.String()),
    target: Type.String(),
    commit: Commit,
    release: Type.Union([Type.Object({ tag_name: Type.String(), description: nullable(Type.String()) }), Type.Null()]),
    protected: Type.Boolean(),
    created_at: nullable(dateTime()),
  },
  { $id: "Tag" },
);

export const TreeItem = Type.Object(
  { id: Type.String(), name: Type.String(), type: Type.String(), path: Type.String(), mode: Type.String() },
  { $id: "TreeItem" },
);

export const RepositoryImport = Type.Object(
  {
    project_id: Type.Integer(),
    default_branch: nullable(Type.String({ description: "branch that clones begin with" })),
  },
  { $id: "RepositoryImport" },
);
