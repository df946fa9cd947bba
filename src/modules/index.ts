import { accessTokensModule } from "./accounts/access-tokens/index.ts";
import { associationsModule } from "./accounts/associations/index.ts";
import { initialSetupModule } from "./accounts/initial-setup/index.ts";
import { ownAccountModule } from "./accounts/own-account/index.ts";
import { preferencesModule } from "./accounts/preferences/index.ts";
import { sessionsModule } from "./accounts/sessions/index.ts";
import { userCountsModule } from "./accounts/user-counts/index.ts";
import { userStatusModule } from "./accounts/user-status/index.ts";
import { apiReferenceModule } from "./admin/api-reference/index.ts";
import { auditRetentionModule } from "./admin/audit-retention/index.ts";
import { backupsModule } from "./admin/backups/index.ts";
import { blobSweepModule } from "./admin/blob-sweep/index.ts";
import { callExplanationsModule } from "./admin/call-explanations/index.ts";
import { consoleModule } from "./admin/console/index.ts";
import { dataModule } from "./admin/data/index.ts";
import { featureFlagsModule } from "./admin/feature-flags/index.ts";
import { healthModule } from "./admin/health/index.ts";
import { instanceModule } from "./admin/instance/index.ts";
import { metadataModule } from "./admin/metadata/index.ts";
import { recentRequestsModule } from "./admin/recent-requests/index.ts";
import { unknownCallsModule } from "./admin/unknown-calls/index.ts";
import { commitStatusesModule } from "./ci/commit-statuses/index.ts";
import { commitsModule } from "./ci/commits/index.ts";
import { idTokensModule } from "./ci/id-tokens/index.ts";
import { jobArtifactsModule } from "./ci/job-artifacts/index.ts";
import { jobLogsModule } from "./ci/job-logs/index.ts";
import { jobTokenScopeModule } from "./ci/job-token-scope/index.ts";
import { pipelineSchedulesModule } from "./ci/pipeline-schedules/index.ts";
import { pipelinesModule } from "./ci/pipelines/index.ts";
import { runnerApiModule } from "./ci/runner-api/index.ts";
import { runnersModule } from "./ci/runners/index.ts";
import { triggersModule } from "./ci/triggers/index.ts";
import { variablesModule } from "./ci/variables/index.ts";
import { accessModule } from "./core/access/index.ts";
import { applicationSettingsModule } from "./core/application-settings/index.ts";
import { auditEventsModule } from "./core/audit-events/index.ts";
import { backgroundJobsModule } from "./core/background-jobs/index.ts";
import { customAttributesModule } from "./core/custom-attributes/index.ts";
import { deliveriesModule } from "./core/deliveries/index.ts";
import { dependentsModule } from "./core/dependents/index.ts";
import { followsModule } from "./core/follows/index.ts";
import { namespacesModule } from "./core/namespaces/index.ts";
import { outboxModule } from "./core/outbox/index.ts";
import { spamModule } from "./core/spam/index.ts";
import { userActivitiesModule, usersModule } from "./core/users/index.ts";
import { awardEmojiModule } from "./discussions/award-emoji/index.ts";
import { commitNotesModule } from "./discussions/commit-notes/index.ts";
import { noteablesModule } from "./discussions/noteables/index.ts";
import { notesModule } from "./discussions/notes/index.ts";
import { systemNotesModule } from "./discussions/system-notes/index.ts";
import { groupProjectsModule } from "./groups-and-projects/group-projects/index.ts";
import { groupsModule } from "./groups-and-projects/groups/index.ts";
import { namespacesApiModule } from "./groups-and-projects/namespaces-api/index.ts";
import { projectsModule } from "./groups-and-projects/projects/index.ts";
import { sharesModule } from "./groups-and-projects/shares/index.ts";
import { uploadsModule } from "./groups-and-projects/uploads/index.ts";
import { joinModules, type ModuleManifest } from "./kernel/module.ts";
import { accessRequestsModule } from "./members/access-requests/index.ts";
import { membersModule } from "./members/members/index.ts";
import { approvalsModule } from "./merge-requests/approvals/index.ts";
import { mergeRequestMailsModule } from "./merge-requests/mails/index.ts";
import { mergeRequestsModule } from "./merge-requests/merge-requests/index.ts";
import { mergeRequestSystemNotesModule } from "./merge-requests/system-notes/index.ts";
import { alertsModule } from "./monitoring/alerts/index.ts";
import { errorTrackingModule } from "./monitoring/error-tracking/index.ts";
import { issueMailsModule } from "./notifications/issue-mails/index.ts";
import { notificationSettingsModule } from "./notifications/settings/index.ts";
import { epicsModule } from "./planning/epics/index.ts";
import { issuablesModule } from "./planning/issuables/index.ts";
import { issueStatisticsModule } from "./planning/issue-statistics/index.ts";
import { issuesModule, milestoneIssuesModule } from "./planning/issues/index.ts";
import { labelsModule } from "./planning/labels/index.ts";
import { milestonesModule } from "./planning/milestones/index.ts";
import { pendingUnlinksModule } from "./planning/pending-unlinks/index.ts";
import { quickActionsModule } from "./planning/quick-actions/index.ts";
import { readableIssuesModule } from "./planning/readable-issues/index.ts";
import { readableMergeRequestsModule } from "./planning/readable-merge-requests/index.ts";
import { subscriptionsModule } from "./planning/subscriptions/index.ts";
import { planningTransfersModule } from "./planning/transfers/index.ts";
import { containerRegistryModule } from "./registries/container-registry/index.ts";
import { packagesModule } from "./registries/packages/index.ts";
import { releasesModule } from "./releases/releases/index.ts";
import { gitTransportModule } from "./repositories/git-transport/index.ts";
import { protectedBranchesModule } from "./repositories/protected-branches/index.ts";
import { protectedTagsModule } from "./repositories/protected-tags/index.ts";
import { repositoriesModule } from "./repositories/repositories/index.ts";
import { snippetsModule } from "./repositories/snippets/index.ts";
import { storageMovesModule } from "./repositories/storage-moves/index.ts";
import { checkpointsModule } from "./sandbox/checkpoints/index.ts";
import { sandboxClockModule } from "./sandbox/clock/index.ts";
import { sandboxFaultsModule } from "./sandbox/faults/index.ts";
import { fixturesModule } from "./sandbox/fixtures/index.ts";
import { sandboxOutgoingModule } from "./sandbox/outgoing/index.ts";
import { sandboxRequestsModule } from "./sandbox/requests/index.ts";

/** Every module. The API reference has the tags in this order, and within a tag the operations. */
export const modules: readonly ModuleManifest[] = [
  initialSetupModule,
  usersModule,
  accessTokensModule,
  sessionsModule,
  accessModule,
  customAttributesModule,
  userStatusModule,
  ownAccountModule,
  preferencesModule,
  followsModule,
  userActivitiesModule,
  userCountsModule,
  associationsModule,
  namespacesModule,
  groupsModule,
  groupProjectsModule,
  namespacesApiModule,
  projectsModule,
  repositoriesModule,
  gitTransportModule,
  protectedBranchesModule,
  protectedTagsModule,
  snippetsModule,
  storageMovesModule,
  commitsModule,
  commitStatusesModule,
  pipelinesModule,
  pipelineSchedulesModule,
  jobLogsModule,
  jobArtifactsModule,
  jobTokenScopeModule,
  triggersModule,
  variablesModule,
  runnersModule,
  runnerApiModule,
  idTokensModule,
  packagesModule,
  containerRegistryModule,
  releasesModule,
  uploadsModule,
  notificationSettingsModule,
  dependentsModule,
  subscriptionsModule,
  readableIssuesModule,
  readableMergeRequestsModule,
  quickActionsModule,
  issuablesModule,
  pendingUnlinksModule,
  planningTransfersModule,
  issuesModule,
  issueStatisticsModule,
  membersModule,
  accessRequestsModule,
  sharesModule,
  labelsModule,
  milestonesModule,
  milestoneIssuesModule,
  noteablesModule,
  notesModule,
  commitNotesModule,
  systemNotesModule,
  awardEmojiModule,
  epicsModule,
  mergeRequestsModule,
  approvalsModule,
  mergeRequestSystemNotesModule,
  mergeRequestMailsModule,
  spamModule,
  errorTrackingModule,
  alertsModule,
  issueMailsModule,
  applicationSettingsModule,
  featureFlagsModule,
  auditEventsModule,
  auditRetentionModule,
  deliveriesModule,
  outboxModule,
  metadataModule,
  unknownCallsModule,
  recentRequestsModule,
  dataModule,
  instanceModule,
  callExplanationsModule,
  healthModule,
  backgroundJobsModule,
  blobSweepModule,
  backupsModule,
  apiReferenceModule,
  consoleModule,
  checkpointsModule,
  sandboxClockModule,
  sandboxFaultsModule,
  sandboxRequestsModule,
  sandboxOutgoingModule,
  fixturesModule,
];

/** The manifests of all modules, put together. */
export const productModules = joinModules(modules);
export const { collections } = productModules;
