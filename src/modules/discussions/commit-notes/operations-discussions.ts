import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentCommitDiscussion, presentCommitNote } from "./present.ts";
import {
  ChangedNote,
  CommitDiscussion,
  CommitInPath,
  CommitNote,
  DiscussionInPath,
  NewNote,
  NewReply,
  NoteInPath,
} from "./schema.ts";
import {
  createCommitNote,
  deleteCommitNote,
  getCommitDiscussion,
  getCommitNote,
  getNotedCommit,
  listCommitDiscussions,
  updateCommitNote,
} from "./service.ts";

const path = "/projects/:id/repository/commits/:sha/discussions";
const whoeverSignsIn = inProject(accessLevels.none);

/** commits 6, "discussions". */
export const discussionOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the discussions of a commit",
    who: whoeverSignsIn,
    params: CommitInPath,
    answer: pageOf(CommitDiscussion),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      return mapPage(listCommitDiscussions(context, noted, page), (notes) => presentCommitDiscussion(notes, call));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:discussion_id`,
    summary: "Get a discussion of a commit",
    who: whoeverSignsIn,
    params: DiscussionInPath,
    answer: ok(CommitDiscussion),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      return presentCommitDiscussion(getCommitDiscussion(context, noted, params.discussion_id), call);
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Begin a discussion of a commit",
    who: whoeverSignsIn,
    params: NewNote,
    answer: created(CommitDiscussion),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      const note = createCommitNote(context, caller, noted, { body: params.body, createdAt: params.created_at });
      return presentCommitDiscussion([note], call);
    },
  }),

  operation({
    method: "POST",
    path: `${path}/:discussion_id/notes`,
    summary: "Answer in a discussion of a commit",
    who: whoeverSignsIn,
    params: NewReply,
    answer: created(CommitNote),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const { body, created_at: createdAt, discussion_id: discussionId } = params;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      return presentCommitNote(createCommitNote(context, caller, noted, { body, createdAt, discussionId }), call);
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:discussion_id/notes/:note_id`,
    summary: "Get a note of a discussion of a commit",
    who: whoeverSignsIn,
    params: NoteInPath,
    answer: ok(CommitNote),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const { discussion_id: discussionId, note_id: noteId } = params;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      return presentCommitNote(getCommitNote(context, noted, { discussionId, noteId }), call);
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:discussion_id/notes/:note_id`,
    summary: "Update a note of a discussion of a commit",
    who: whoeverSignsIn,
    params: ChangedNote,
    answer: ok(CommitNote),
    failures: ["forbidden", "invalid", "too_large"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const { discussion_id: discussionId, note_id: noteId, body } = params;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      const note = getCommitNote(context, noted, { discussionId, noteId });
      return presentCommitNote(updateCommitNote(context, caller, noted, note, body), call);
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:discussion_id/notes/:note_id`,
    summary: "Delete a note of a discussion of a commit",
    who: whoeverSignsIn,
    params: NoteInPath,
    answer: noContent(),
    failures: ["forbidden", "precondition", "too_large"],
    async handle(call) {
      const { context, caller, project, params, unmodifiedSince } = call;
      const { discussion_id: discussionId, note_id: noteId } = params;
      const noted = await getNotedCommit(context, caller, project, params.sha);
      const note = getCommitNote(context, noted, { discussionId, noteId });
      deleteCommitNote(context, caller, noted, note, unmodifiedSince);
    },
  }),
];
