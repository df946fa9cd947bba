import { resolveAlertOfIncident } from "./alerts/index.ts";
import type { EpicListener, IssueListener, NoteListener } from "./issue-hooks.ts";
import { mailEpic, mailIssue, mailNote } from "./issue-mails/index.ts";
import { countOpenIssues } from "./issues/index.ts";
import { pipelineOfPush } from "./pipelines/index.ts";
import type { OnPush, ProjectFacts } from "./project-hooks.ts";
import { readmeUrl } from "./repositories/index.ts";

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
