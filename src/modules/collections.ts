import type { AnyCollectionDeclaration } from "../store/index.ts";
import { accessRequests, groupLinks, jobTokenLinks, memberships } from "./access/index.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./alerts/index.ts";
import { applicationSettings } from "./application-settings/index.ts";
import { auditEvents } from "./audit-events/index.ts";
import {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "./container-registry/index.ts";
import { customAttributes } from "./custom-attributes/index.ts";
import { departures } from "./departures/index.ts";
import {
  clientKeys,
  errorEvents,
  errorPayloads,
  errorTrackingSettings,
  trackedErrors,
} from "./error-tracking/index.ts";
import { features } from "./features/index.ts";
import { follows } from "./follows/index.ts";
import { installation } from "./installation/index.ts";
import { dueMails } from "./issue-mails/index.ts";
import { jobArtifacts } from "./job-artifacts/index.ts";
import { traceChunks, traces } from "./job-traces/index.ts";
import { jobs } from "./jobs/index.ts";
import { formerPaths, groups, namespaces, projects } from "./namespaces/index.ts";
import { notificationSettings } from "./notification-settings/index.ts";
import { mailDeliveries, mails, unsentMails } from "./outbox/index.ts";
import { packageFiles, packagePipelines, packages } from "./packages/index.ts";
import { accessTokens } from "./personal-access-tokens/index.ts";
import { ciJobs, pipelines } from "./pipelines/index.ts";
import { projectStars } from "./projects/index.ts";
import { storageMoves } from "./repositories/index.ts";
import { runnerManagers, runnerRegistrations, runners } from "./runners/index.ts";
import { snippets } from "./snippets/index.ts";
import { spamLogs } from "./spam/index.ts";
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
} from "./tracker/index.ts";
import { triggers } from "./triggers/index.ts";
import { userPreferences } from "./user-preferences/index.ts";
import { userStatuses } from "./user-status/index.ts";
import { emails, users } from "./users/index.ts";

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
