import { pipelineOfPush } from "../ci/pipelines/index.ts";
import type { EpicListener, IssueListener, NoteListener } from "../kernel/issue-hooks.ts";
import type { OnPush, ProjectFacts } from "../kernel/project-hooks.ts";
import { resolveAlertOfIncident } from "../monitoring/alerts/index.ts";
import { mailEpic, mailIssue, mailNote } from "../notifications/issue-mails/index.ts";
import { countOpenIssues } from "../planning/issues/index.ts";
import { readmeUrl } from "../repositories/repositories/index.ts";

/** Issues put what they know of a project here. */
export const projectFacts: ProjectFacts = {
  openIssuesCount: countOpenIssues,
  isRepositoryEmpty: (_, { default_branch }) => default_branch === null,
  readmeUrl,
};

/** Who is told of what happens to issues, in this order. */
export const issueListeners: readonly IssueListener[] = [resolveAlertOfIncident, mailIssue];

/** Who is told of new notes, in this order. */
export const noteListeners: readonly NoteListener[] = [mailNote];

/** Who is told of new epics, in this order. */
export const epicListeners: readonly EpicListener[] = [mailEpic];

/** Pipelines follow from commits. */
export const onPush: OnPush = pipelineOfPush;
