import { removeTokensOf } from "../accounts/access-tokens/index.ts";
import { removePreferencesOf } from "../accounts/preferences/index.ts";
import { removeStatusOf } from "../accounts/user-status/index.ts";
import { jobTokenGroupRemoval, jobTokenProjectRemoval } from "../ci/job-token-scope/index.ts";
import { pipelineRemoval } from "../ci/pipelines/index.ts";
import { groupRunnerRemoval, projectRunnerRemoval } from "../ci/runners/index.ts";
import { removeTriggersOf, triggerRemoval } from "../ci/triggers/index.ts";
import { removeAccessOf } from "../core/access/index.ts";
import { removeCustomAttributes } from "../core/custom-attributes/index.ts";
import { removeFollowsOf } from "../core/follows/index.ts";
import { removeSpamLogsOf } from "../core/spam/index.ts";
import { awardUserRemoval } from "../discussions/award-emoji/index.ts";
import { noteUserRemoval } from "../discussions/notes/index.ts";
import { groupOwnRemoval, soleOwnerRemoval } from "../groups-and-projects/groups/index.ts";
import { projectOwnRemoval, projectStarRemoval, projectUserRemoval } from "../groups-and-projects/projects/index.ts";
import type { GroupRemoval } from "../kernel/group-hooks.ts";
import type { MemberDeparture } from "../kernel/member-removed-hook.ts";
import type { ProjectRemoval } from "../kernel/project-hooks.ts";
import { goesWithUser, type UserRemoval } from "../kernel/user-removed-hook.ts";
import { alertRemoval, unassignAlerts } from "../monitoring/alerts/index.ts";
import { errorTrackingRemoval } from "../monitoring/error-tracking/index.ts";
import { removeSettingsOfSource, removeSettingsOfUser } from "../notifications/settings/index.ts";
import { epicGroupRemoval, epicUserRemoval } from "../planning/epics/index.ts";
import { issueRemoval, issuesGoWithUser, unassignIssues } from "../planning/issues/index.ts";
import { groupLabelRemoval, projectLabelRemoval } from "../planning/labels/index.ts";
import { groupMilestoneRemoval, projectMilestoneRemoval } from "../planning/milestones/index.ts";
import { removeSubscriptionsOf } from "../planning/records/index.ts";
import { containerRegistryRemoval } from "../registries/container-registry/index.ts";
import { packageRemoval } from "../registries/packages/index.ts";
import { removeMovesOf, repositoryRemoval } from "../repositories/repositories/index.ts";
import { snippetRemoval, snippetUserRemoval } from "../repositories/snippets/index.ts";

/** What every module does when a project is deleted, in this order: what points to other things goes before them. */
export const projectRemovals: readonly ProjectRemoval[] = [
  alertRemoval,
  issueRemoval,
  snippetRemoval,
  projectStarRemoval,
  projectLabelRemoval,
  projectMilestoneRemoval,
  errorTrackingRemoval,
  packageRemoval,
  containerRegistryRemoval,
  pipelineRemoval,
  triggerRemoval,
  jobTokenProjectRemoval,
  projectRunnerRemoval,
  projectOwnRemoval,
  repositoryRemoval,
];

/** What goes with somebody who is taken off a group or project, in this order. */
export const memberDepartures: readonly MemberDeparture[] = [{ unassign: unassignIssues }];

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
  jobTokenGroupRemoval,
  groupRunnerRemoval,
  groupOwnRemoval,
  { remove: (tx, { store }, { id }, limit) => removeMovesOf(tx, store, "group", id, limit) },
  { remove: (tx, { store }, { id }, limit) => removeSettingsOfSource(tx, store, { type: "group", id }, limit) },
];
