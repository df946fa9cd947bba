import { accessRequestOperations } from "./access-requests/index.ts";
import { alertAreaOperations } from "./alerts/index.ts";
import { referenceOperations } from "./api-reference/index.ts";
import { applicationSettingsOperations } from "./application-settings/index.ts";
import { tokenAssociationOperations, userAssociationOperations } from "./associations/index.ts";
import { auditEventOperations } from "./audit-events/index.ts";
import { awardOperations } from "./award-emoji/index.ts";
import { backupOperations } from "./backups/index.ts";
import { containerRegistryOperations } from "./container-registry/index.ts";
import { epicOperations } from "./epics/index.ts";
import { errorTrackingOperations } from "./error-tracking/index.ts";
import { featureOperations } from "./features/index.ts";
import { groupProjectOperations } from "./group-projects/index.ts";
import { groupOperations } from "./groups/index.ts";
import { issueStatisticsOperations } from "./issue-statistics/index.ts";
import { issueOperations, milestoneIssueOperations } from "./issues/index.ts";
import { jobRunOperations } from "./job-runs/index.ts";
import { jobTokenScopeOperations } from "./job-token-scope/index.ts";
import { jobOperations } from "./jobs/index.ts";
import { labelOperations } from "./labels/index.ts";
import { memberOperations } from "./members/index.ts";
import { metadataOperations } from "./metadata/index.ts";
import { milestoneOperations } from "./milestones/index.ts";
import { monitoringOperations } from "./monitoring/index.ts";
import { namespaceOperations } from "./namespace-directory/index.ts";
import { noteOperations } from "./notes/index.ts";
import { notificationSettingsOperations } from "./notification-settings/index.ts";
import type { Area, Operation } from "./operation.ts";
import { outboxOperations } from "./outbox/index.ts";
import { packageOperations } from "./packages/index.ts";
import { accessTokenOperations, impersonationTokenOperations } from "./personal-access-tokens/index.ts";
import { pipelineOperations } from "./pipelines/index.ts";
import { projectOperations } from "./projects/index.ts";
import { repositoryOperations } from "./repositories/index.ts";
import { runnerOperations } from "./runners/index.ts";
import { shareOperations } from "./shares/index.ts";
import { snippetOperations } from "./snippets/index.ts";
import { storageMoveOperations } from "./storage-moves/index.ts";
import { triggerOperations } from "./triggers/index.ts";
import { userCountsOperations } from "./user-counts/index.ts";
import { userPreferencesOperations } from "./user-preferences/index.ts";
import { userStatusOperations } from "./user-status/index.ts";
import { activityOperations, followOperations, userCustomAttributeOperations, userOperations } from "./users/index.ts";

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
