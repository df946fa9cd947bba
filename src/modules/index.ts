import type { AnyCollectionDeclaration } from "../store/index.ts";
import { accessRequests, groupLinks, memberships, removeAccessOf } from "./access/index.ts";
import { accessRequestOperations } from "./access-requests/index.ts";
import {
  alertAreaOperations,
  alertIntegrations,
  alertPayloads,
  alertRemoval,
  alertSettings,
  alerts,
  resolveAlertOfIncident,
  unassignAlerts,
} from "./alerts/index.ts";
import { referenceOperations } from "./api-reference/index.ts";
import { applicationSettings, applicationSettingsOperations } from "./application-settings/index.ts";
import { tokenAssociationOperations, userAssociationOperations } from "./associations/index.ts";
import { auditEventOperations, auditEvents } from "./audit-events/index.ts";
import { awardOperations, awardUserRemoval } from "./award-emoji/index.ts";
import { customAttributes, removeCustomAttributes } from "./custom-attributes/index.ts";
import { departures, departureWork } from "./departures/index.ts";
import { epicGroupRemoval, epicOperations, epicRemoval, epicUserRemoval } from "./epics/index.ts";
import {
  clientKeys,
  errorEvents,
  errorPayloads,
  errorTrackingOperations,
  errorTrackingRemoval,
  errorTrackingSettings,
  trackedErrors,
} from "./error-tracking/index.ts";
import { featureOperations, features } from "./features/index.ts";
import { follows, removeFollowsOf } from "./follows/index.ts";
import type { GroupRemoval } from "./group-hooks.ts";
import { groupProjectOperations } from "./group-projects/index.ts";
import { groupDeletion, groupOperations, groupOwnRemoval, soleOwnerRemoval } from "./groups/index.ts";
import { installation } from "./installation/index.ts";
import type { EpicListener, IssueListener, NoteListener } from "./issue-hooks.ts";
import { dueIssueMails, dueMails, mailEpic, mailIssue, mailNote } from "./issue-mails/index.ts";
import { issueStatisticsOperations } from "./issue-statistics/index.ts";
import {
  countOpenIssues,
  issueOperations,
  issueRemoval,
  issuesGoWithUser,
  milestoneIssueOperations,
  unassignIssues,
} from "./issues/index.ts";
import { type JobKind, jobOperations, jobs, type PeriodicWork } from "./jobs/index.ts";
import { groupLabelRemoval, labelOperations, projectLabelRemoval } from "./labels/index.ts";
import type { MemberDeparture } from "./member-departure.ts";
import { memberOperations, membershipExpiry } from "./members/index.ts";
import { metadataOperations } from "./metadata/index.ts";
import { groupMilestoneRemoval, milestoneOperations, projectMilestoneRemoval } from "./milestones/index.ts";
import { monitoringOperations } from "./monitoring/index.ts";
import { namespaceOperations } from "./namespace-directory/index.ts";
import { formerPaths, groups, namespaces, projects } from "./namespaces/index.ts";
import { noteOperations, noteUserRemoval } from "./notes/index.ts";
import {
  notificationSettings,
  notificationSettingsOperations,
  removeSettingsOfSource,
  removeSettingsOfUser,
} from "./notification-settings/index.ts";
import type { Area, Operation } from "./operation.ts";
import { mailDeliveries, mails, outboxOperations, unsentMails } from "./outbox/index.ts";
import {
  accessTokenOperations,
  accessTokens,
  impersonationTokenOperations,
  removeTokensOf,
} from "./personal-access-tokens/index.ts";
import {
  ciJobs,
  delayedCiJob,
  pipelineOfPush,
  pipelineOperations,
  pipelineRemoval,
  pipelineStart,
  pipelines,
} from "./pipelines/index.ts";
import type { OnPush, ProjectFacts, ProjectRemoval } from "./project-hooks.ts";
import {
  projectDeletion,
  projectOperations,
  projectOwnRemoval,
  projectStarRemoval,
  projectStars,
  projectUserRemoval,
} from "./projects/index.ts";
import {
  readmeUrl,
  removeMovesOf,
  repositoryDeletion,
  repositoryOperations,
  repositoryRemoval,
  storageMoves,
} from "./repositories/index.ts";
import { shareExpiry, shareOperations } from "./shares/index.ts";
import { snippetOperations, snippetRemoval, snippets, snippetUserRemoval } from "./snippets/index.ts";
import { removeSpamLogsOf, spamLogs } from "./spam/index.ts";
import { scheduleRest, storageMove, storageMoveOperations } from "./storage-moves/index.ts";
import {
  awardEmoji,
  epicIssues,
  epics,
  issues,
  labelPriorities,
  labels,
  milestones,
  notes,
  removeSubscriptionsOf,
  subscriptions,
} from "./tracker/index.ts";
import { removeTriggersOf, triggerOperations, triggerRemoval, triggers } from "./triggers/index.ts";
import { userCountsOperations } from "./user-counts/index.ts";
import { removePreferencesOf, userPreferences, userPreferencesOperations } from "./user-preferences/index.ts";
import { goesWithUser, type UserRemoval } from "./user-removal.ts";
import { removeStatusOf, userStatuses, userStatusOperations } from "./user-status/index.ts";
import {
  activityOperations,
  emails,
  followOperations,
  userCustomAttributeOperations,
  userOperations,
  users,
} from "./users/index.ts";

/** Every operation of the API, by chapter of its reference. */
export const areas: readonly Area[] = [
  {
    name: "Users",
    operations: [
      ...userOperations,
      ...followOperations,
      ...userStatusOperations,
      ...userPreferencesOperations,
      ...activityOperations,
      ...userCountsOperations,
      ...userAssociationOperations,
    ],
  },
  { name: "Custom attributes", operations: userCustomAttributeOperations },
  { name: "Personal access tokens", operations: [...accessTokenOperations, ...tokenAssociationOperations] },
  { name: "Impersonation tokens", operations: impersonationTokenOperations },
  { name: "Groups", operations: [...groupOperations, ...groupProjectOperations] },
  { name: "Namespaces", operations: namespaceOperations },
  { name: "Projects", operations: projectOperations },
  { name: "Repositories", operations: repositoryOperations },
  { name: "Snippets", operations: snippetOperations },
  { name: "Repository storage moves", operations: storageMoveOperations },
  { name: "Pipelines", operations: pipelineOperations },
  { name: "Pipeline triggers", operations: triggerOperations },
  { name: "Notification settings", operations: notificationSettingsOperations },
  { name: "Issues", operations: issueOperations },
  { name: "Issue statistics", operations: issueStatisticsOperations },
  { name: "Members", operations: memberOperations },
  { name: "Access requests", operations: accessRequestOperations },
  { name: "Shares", operations: shareOperations },
  { name: "Labels", operations: labelOperations },
  { name: "Milestones", operations: [...milestoneOperations, ...milestoneIssueOperations] },
  { name: "Notes", operations: noteOperations },
  { name: "Award emoji", operations: awardOperations },
  { name: "Epics", operations: epicOperations },
  { name: "Error tracking", operations: errorTrackingOperations },
  { name: "Alerts", operations: alertAreaOperations },
  { name: "Settings", operations: applicationSettingsOperations },
  { name: "Feature flags", operations: featureOperations },
  { name: "Audit events", operations: auditEventOperations },
  { name: "Outbox", operations: outboxOperations },
  { name: "Version", operations: metadataOperations },
  { name: "Monitoring", operations: [...monitoringOperations, ...jobOperations] },
  { name: "API reference", operations: referenceOperations },
];

/** Every operation of the API. */
export const operations: readonly Operation[] = areas.flatMap((area) => area.operations);

/** What every module does when a project is deleted, in this order: what points to other things goes before them. */
export const projectRemovals: readonly ProjectRemoval[] = [
  alertRemoval,
  issueRemoval,
  snippetRemoval,
  projectStarRemoval,
  projectLabelRemoval,
  projectMilestoneRemoval,
  errorTrackingRemoval,
  pipelineRemoval,
  triggerRemoval,
  projectOwnRemoval,
  repositoryRemoval,
];

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

/** What goes with somebody who is taken off a group or project, in this order. */
export const memberDepartures: readonly MemberDeparture[] = [{ unassign: unassignIssues }];

/** Pipelines follow from commits. */
export const onPush: OnPush = pipelineOfPush;

/** Every collection of the store. */
export const collections: readonly AnyCollectionDeclaration[] = [
  installation,
  applicationSettings,
  features,
  namespaces,
  formerPaths,
  groups,
  projects,
  projectStars,
  memberships,
  groupLinks,
  accessRequests,
  users,
  emails,
  accessTokens,
  userStatuses,
  userPreferences,
  follows,
  ...Object.values(customAttributes),
  notificationSettings,
  issues,
  labels,
  labelPriorities,
  milestones,
  epics,
  epicIssues,
  notes,
  awardEmoji,
  subscriptions,
  pipelines,
  ciJobs,
  triggers,
  departures,
  errorTrackingSettings,
  clientKeys,
  trackedErrors,
  errorEvents,
  errorPayloads,
  spamLogs,
  dueMails,
  snippets,
  ...Object.values(storageMoves),
  alertIntegrations,
  alerts,
  alertPayloads,
  alertSettings,
  auditEvents,
  mails,
  unsentMails,
  mailDeliveries,
  jobs,
] as unknown as readonly AnyCollectionDeclaration[];

/** Every kind of job. */
export const jobKinds: readonly JobKind[] = [
  projectDeletion,
  groupDeletion,
  departureWork,
  epicRemoval,
  repositoryDeletion,
  storageMove,
  scheduleRest,
  pipelineStart,
  delayedCiJob,
];

/** All work that comes back by the clock. */
export const periodicWork: readonly PeriodicWork[] = [membershipExpiry, shareExpiry, dueIssueMails];

/** What goes or moves when a user is deleted, in this order; the user and the personal namespace go after all of them. */
export const userRemovals: readonly UserRemoval[] = [
  soleOwnerRemoval,
  awardUserRemoval,
  noteUserRemoval,
  snippetUserRemoval,
  epicUserRemoval,
  issuesGoWithUser,
  goesWithUser(removeTokensOf),
  goesWithUser(removeAccessOf),
  goesWithUser(removeStatusOf),
  goesWithUser(removePreferencesOf),
  goesWithUser(removeFollowsOf),
  goesWithUser(removeSettingsOfUser),
  goesWithUser(removeSubscriptionsOf),
  goesWithUser(removeSpamLogsOf),
  goesWithUser(removeTriggersOf),
  goesWithUser(unassignAlerts),
  goesWithUser((tx, store, id) => removeCustomAttributes(tx, store, { resource: "User", id })),
  projectUserRemoval,
];

/** What goes with a group, in this order. */
export const groupRemovals: readonly GroupRemoval[] = [
  groupLabelRemoval,
  groupMilestoneRemoval,
  epicGroupRemoval,
  groupOwnRemoval,
  { remove: (tx, { store }, { id }, limit) => removeMovesOf(tx, store, "group", id, limit) },
  { remove: (tx, { store }, { id }, limit) => removeSettingsOfSource(tx, store, { type: "group", id }, limit) },
];
