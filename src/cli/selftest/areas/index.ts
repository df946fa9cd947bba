import type { Area } from "../scenario.ts";
import { impersonationTokens, personalAccessTokens } from "./accounts/tokens.ts";
import { users } from "./accounts/users.ts";
import { pipelines } from "./ci/pipelines.ts";
import { runners } from "./ci/runners.ts";
import { pipelineTriggers } from "./ci/triggers.ts";
import { repositories } from "./code/repositories.ts";
import { snippets } from "./code/snippets.ts";
import { groups } from "./groups/groups.ts";
import { projects } from "./groups/projects.ts";
import { sandbox } from "./instance/sandbox.ts";
import { applicationSettings } from "./instance/settings.ts";
import { accessRequests } from "./members/access-requests.ts";
import { members } from "./members/members.ts";
import { notificationSettings } from "./members/notification-settings.ts";
import { alerts } from "./monitoring/alerts.ts";
import { issues } from "./planning/issues.ts";

import { containerRegistry } from "./registries/container-registry.ts";
import { packages } from "./registries/packages.ts";

/** All areas, in the order in which they run. */
export const areas: readonly Area[] = [
  users,
  personalAccessTokens,
  impersonationTokens,
  groups,
  projects,
  repositories,
  snippets,
  pipelines,
  pipelineTriggers,
  runners,
  packages,
  containerRegistry,
  members,
  accessRequests,
  notificationSettings,
  issues,
  alerts,
  applicationSettings,
  sandbox,
];
