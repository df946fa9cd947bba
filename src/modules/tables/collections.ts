import type { AnyCollectionDeclaration } from "../../store/index.ts";
import { accessTokens } from "../accounts/access-tokens/index.ts";
import { installation } from "../accounts/initial-setup/index.ts";
import { userPreferences } from "../accounts/preferences/index.ts";
import { userStatuses } from "../accounts/user-status/index.ts";
import { features } from "../admin/feature-flags/index.ts";
import { jobArtifacts } from "../ci/job-artifacts/index.ts";
import { traceChunks, traces } from "../ci/job-logs/index.ts";
import { ciJobs, pipelines } from "../ci/pipelines/index.ts";
import { runnerManagers, runnerRegistrations, runners } from "../ci/runners/index.ts";
import { triggers } from "../ci/triggers/index.ts";
import { accessRequests, groupLinks, jobTokenLinks, memberships } from "../core/access/index.ts";
import { applicationSettings } from "../core/application-settings/index.ts";
import { auditEvents } from "../core/audit-events/index.ts";
import { jobs } from "../core/background-jobs/index.ts";
import { customAttributes } from "../core/custom-attributes/index.ts";
import { follows } from "../core/follows/index.ts";
import { formerPaths, groups, namespaces, projects } from "../core/namespaces/index.ts";
import { mailDeliveries, mails, unsentMails } from "../core/outbox/index.ts";
import { spamLogs } from "../core/spam/index.ts";
import { emails, users } from "../core/users/index.ts";
import { projectStars } from "../groups-and-projects/projects/index.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "../monitoring/alerts/index.ts";
import {
  clientKeys,
  errorEvents,
  errorPayloads,
  errorTrackingSettings,
  trackedErrors,
} from "../monitoring/error-tracking/index.ts";
import { dueMails } from "../notifications/issue-mails/index.ts";
import { notificationSettings } from "../notifications/settings/index.ts";
import { departures } from "../planning/pending-unlinks/index.ts";
import {
  awardEmoji,
  epicIssues,
  epics,
  issues,
  labelPriorities,
  labels,
  milestones,
  notes,
  subscriptions,
} from "../planning/records/index.ts";
import {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "../registries/container-registry/index.ts";
import { packageFiles, packagePipelines, packages } from "../registries/packages/index.ts";
import { storageMoves } from "../repositories/repositories/index.ts";
import { snippets } from "../repositories/snippets/index.ts";

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
  jobTokenLinks,
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
  traces,
  traceChunks,
  jobArtifacts,
  runners,
  runnerManagers,
  runnerRegistrations,
  triggers,
  packages,
  packageFiles,
  packagePipelines,
  containerRepositories,
  containerBlobs,
  containerManifests,
  containerTags,
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
