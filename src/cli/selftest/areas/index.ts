import type { Area } from "../scenario.ts";
import { impersonationTokens, personalAccessTokens } from "./accounts/tokens.ts";
import { customAttributes, users } from "./accounts/users.ts";
import { pipelines } from "./ci/pipelines.ts";
import { runners } from "./ci/runners.ts";
import { jobTokenScope, pipelineTriggers } from "./ci/triggers.ts";
import { repositories } from "./code/repositories.ts";
import { snippets } from "./code/snippets.ts";
import { storageMoves } from "./code/storage-moves.ts";
import { groups, namespaces } from "./groups/groups.ts";
import { projects } from "./groups/projects.ts";
import { auditEvents } from "./instance/audit-events.ts";
import { applicationSettings, featureFlags, version } from "./instance/instance.ts";
import { outpost } from "./instance/outpost.ts";
import { sandbox } from "./instance/sandbox.ts";
import { accessRequests } from "./members/access-requests.ts";
import { members } from "./members/members.ts";
import { notificationSettings } from "./members/notification-settings.ts";
import { shares } from "./members/shares.ts";
import { alerts } from "./monitoring/alerts.ts";
import { errorTracking } from "./monitoring/error-tracking.ts";
import { epics } from "./planning/epics.ts";
import { issueStatistics, issues } from "./planning/issues.ts";
import { labels } from "./planning/labels.ts";
import { milestones } from "./planning/milestones.ts";
import { awardEmoji, notes } from "./planning/notes.ts";

import { containerRegistry } from "./registries/container-registry.ts";
import { packages } from "./registries/packages.ts";

/** All areas, in the order in which they run. */
export const areas: readonly Area[] = [
  version,
  users,
  customAttributes,
  personalAccessTokens,
  impersonationTokens,
  groups,
  namespaces,
  projects,
  repositories,
  snippets,
  storageMoves,
  pipelines,
  jobTokenScope,
  pipelineTriggers,
  runners,
  packages,
  containerRegistry,
  members,
  accessRequests,
  shares,
  notificationSettings,
  issues,
  issueStatistics,
  labels,
  milestones,
  notes,
  awardEmoji,
  epics,
  errorTracking,
  alerts,
  auditEvents,
  applicationSettings,
  featureFlags,
  outpost,
  sandbox,
];
