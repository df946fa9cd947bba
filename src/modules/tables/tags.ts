import { accessTokenOperations, impersonationTokenOperations } from "../accounts/access-tokens/index.ts";
import { tokenAssociationOperations, userAssociationOperations } from "../accounts/associations/index.ts";
import { userPreferencesOperations } from "../accounts/preferences/index.ts";
import { userCountsOperations } from "../accounts/user-counts/index.ts";
import { userStatusOperations } from "../accounts/user-status/index.ts";
import { referenceOperations } from "../admin/api-reference/index.ts";
import { backupOperations } from "../admin/backups/index.ts";
import { featureOperations } from "../admin/feature-flags/index.ts";
import { monitoringOperations } from "../admin/health/index.ts";
import { metadataOperations } from "../admin/metadata/index.ts";
import { jobTokenScopeOperations } from "../ci/job-token-scope/index.ts";
import { pipelineOperations } from "../ci/pipelines/index.ts";
import { jobRunOperations } from "../ci/runner-api/index.ts";
import { runnerOperations } from "../ci/runners/index.ts";
import { triggerOperations } from "../ci/triggers/index.ts";
import { applicationSettingsOperations } from "../core/application-settings/index.ts";
import { auditEventOperations } from "../core/audit-events/index.ts";
import { jobOperations } from "../core/background-jobs/index.ts";
import { outboxOperations } from "../core/outbox/index.ts";
import {
  activityOperations,
  followOperations,
  userCustomAttributeOperations,
  userOperations,
} from "../core/users/index.ts";
import { awardOperations } from "../discussions/award-emoji/index.ts";
import { noteOperations } from "../discussions/notes/index.ts";
import { groupProjectOperations } from "../groups-and-projects/group-projects/index.ts";
import { groupOperations } from "../groups-and-projects/groups/index.ts";
import { namespaceOperations } from "../groups-and-projects/namespaces-api/index.ts";
import { projectOperations } from "../groups-and-projects/projects/index.ts";
import { shareOperations } from "../groups-and-projects/shares/index.ts";
import type { Area, Operation } from "../kernel/operation.ts";
import { accessRequestOperations } from "../members/access-requests/index.ts";
import { memberOperations } from "../members/members/index.ts";
import { alertAreaOperations } from "../monitoring/alerts/index.ts";
import { errorTrackingOperations } from "../monitoring/error-tracking/index.ts";
import { notificationSettingsOperations } from "../notifications/settings/index.ts";
import { epicOperations } from "../planning/epics/index.ts";
import { issueStatisticsOperations } from "../planning/issue-statistics/index.ts";
import { issueOperations, milestoneIssueOperations } from "../planning/issues/index.ts";
import { labelOperations } from "../planning/labels/index.ts";
import { milestoneOperations } from "../planning/milestones/index.ts";
import { containerRegistryOperations } from "../registries/container-registry/index.ts";
import { packageOperations } from "../registries/packages/index.ts";
import { repositoryOperations } from "../repositories/repositories/index.ts";
import { snippetOperations } from "../repositories/snippets/index.ts";
import { storageMoveOperations } from "../repositories/storage-moves/index.ts";

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
  { name: "Job token scope", operations: jobTokenScopeOperations },
  { name: "Pipeline triggers", operations: triggerOperations },
  { name: "Runners", operations: [...runnerOperations, ...jobRunOperations] },
  { name: "Packages", operations: packageOperations },
  { name: "Container registry", operations: containerRegistryOperations },
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
  { name: "Backups", operations: backupOperations },
  { name: "API reference", operations: referenceOperations },
];

/** Every operation of the API. */
export const operations: readonly Operation[] = areas.flatMap((area) => area.operations);
