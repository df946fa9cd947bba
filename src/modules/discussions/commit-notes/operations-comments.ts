import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { needs } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, operation, pageOf } from "../../kernel/operation.ts";
import { presentCommitComment } from "./present.ts";
import { CommitComment, CommitInPath, NewComment } from "./schema.ts";
import { createCommitComment, getNotedCommit, listCommitNotes } from "./service.ts";

const path = "/projects/:id/repository/commits/:sha/comments";

/** commits 6, "comments". */
export const commentOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the comments on a commit",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: CommitInPath,
    answer: pageOf(CommitComment),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      return mapPage(listCommitNotes(context, noted, page), (note) => presentCommitComment(note, call));
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Comment on a commit, or on a line of its diff",
    who: inProject(accessLevels.none),
    params: NewComment,
    rules: [needs("path", "line")],
    answer: created(CommitComment),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const { sha, note, path: file, line: number, line_type = "new" } = params;
      const line = file === undefined || number === undefined ? undefined : { path: file, line: number, line_type };
      const made = await createCommitComment(context, caller, project, { sha, note, line }, raw.gone);
      return presentCommitComment(made, call);
    },
  }),
];
