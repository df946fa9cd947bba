import { removeAccessOf } from "./access/index.ts";
import { alertRemoval, unassignAlerts } from "./alerts/index.ts";
import { awardUserRemoval } from "./award-emoji/index.ts";
import { containerRegistryRemoval } from "./container-registry/index.ts";
import { removeCustomAttributes } from "./custom-attributes/index.ts";
import { epicGroupRemoval, epicUserRemoval } from "./epics/index.ts";
import { errorTrackingRemoval } from "./error-tracking/index.ts";
import { removeFollowsOf } from "./follows/index.ts";
import type { GroupRemoval } from "./group-hooks.ts";
import { groupOwnRemoval, soleOwnerRemoval } from "./groups/index.ts";
import { issueRemoval, issuesGoWithUser, unassignIssues } from "./issues/index.ts";
import { jobTokenGroupRemoval, jobTokenProjectRemoval } from "./job-token-scope/index.ts";
import { groupLabelRemoval, projectLabelRemoval } from "./labels/index.ts";
import type { MemberDeparture } from "./member-departure.ts";
import { groupMilestoneRemoval, projectMilestoneRemoval } from "./milestones/index.ts";
import { noteUserRemoval } from "./notes/index.ts";
import { removeSettingsOfSource, removeSettingsOfUser } from "./notification-settings/index.ts";
import { packageRemoval } from "./packages/index.ts";
import { removeTokensOf } from "./personal-access-tokens/index.ts";
import { pipelineRemoval } from "./pipelines/index.ts";
import type { ProjectRemoval } from "./project-hooks.ts";
import { projectOwnRemoval, projectStarRemoval, projectUserRemoval } from "./projects/index.ts";
import { removeMovesOf, repositoryRemoval } from "./repositories/index.ts";
import { groupRunnerRemoval, projectRunnerRemoval } from "./runners/index.ts";
import { snippetRemoval, snippetUserRemoval } from "./snippets/index.ts";
import { removeSpamLogsOf } from "./spam/index.ts";
import { removeSubscriptionsOf } from "./tracker/index.ts";
import { removeTriggersOf, triggerRemoval } from "./triggers/index.ts";
import { removePreferencesOf } from "./user-preferences/index.ts";
import { goesWithUser, type UserRemoval } from "./user-removal.ts";
import { removeStatusOf } from "./user-status/index.ts";

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
