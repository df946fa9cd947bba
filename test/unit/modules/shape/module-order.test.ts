import { describe, expect, test } from "bun:test";
import { memberRemoved } from "../../../../src/modules/core/access/index.ts";
import { groupDeleted, placeTransferred, projectDeleted } from "../../../../src/modules/core/namespaces/index.ts";
import { userDeleted, userDeletionRequested, userSuspended } from "../../../../src/modules/core/users/index.ts";
import { noteCreated, noteUpdated } from "../../../../src/modules/discussions/notes/index.ts";
import { modules, productModules } from "../../../../src/modules/index.ts";
import type { DomainEvent } from "../../../../src/modules/kernel/event.ts";
import { epicCreated, issuePromoted } from "../../../../src/modules/planning/epics/index.ts";
import {
  issueChanged,
  issueMarkedAsDuplicate,
  issueMoved,
  issuePromotionRequested,
  issueSaved,
} from "../../../../src/modules/planning/issues/index.ts";
import { awardToggleRequested } from "../../../../src/modules/planning/quick-actions/index.ts";
import { refPushed } from "../../../../src/modules/repositories/repositories/index.ts";

/** Phases and names of the modules that subscribe to an event, in the order in which they run. */
function subscribersTo(event: DomainEvent<unknown>): (string | undefined)[] {
  return (productModules.subscriptions.get(event) ?? []).map((subscription) => {
    const owner = modules.find(({ on = [] }) => on.includes(subscription));
    return `${subscription.phase ?? 5} ${owner?.name}`;
  });
}

describe("subscribers run in order", () => {
  test("when a project is deleted: records that refer to others are removed before them, the repository last", () => {
    expect(subscribersTo(projectDeleted)).toEqual([
      ...["1 alerts", "2 issues", "3 snippets", "4 protected-branches"],
      ...["5 projects", "5 protected-branches", "5 protected-tags", "5 labels", "5 milestones"],
      ...["5 error-tracking", "5 error-tracking", "5 error-tracking", "5 error-tracking"],
      ...["6 packages", "6 packages", "6 packages", "6 container-registry", "7 pipelines", "7 triggers"],
      ...["8 projects", "8 job-token-scope", "8 runners", "9 repositories"],
    ]);
  });

  test("when a group is deleted", () => {
    expect(subscribersTo(groupDeleted)).toEqual([
      ...["5 protected-branches", "5 labels", "5 milestones", "5 epics", "8 job-token-scope", "8 runners"],
      ...["9 groups", "9 storage-moves", "9 notification-settings"],
    ]);
  });

  test("when a user is deleted", () => {
    expect(subscribersTo(userDeleted)).toEqual([
      ...["1 groups", "1 award-emoji", "2 notes", "3 snippets", "3 epics", "4 issues", "4 issues"],
      ...["5 access-tokens", "5 sessions", "5 sessions", "5 user-status", "5 preferences", "5 protected-branches"],
      ...["5 notification-settings", "5 subscriptions", "5 spam"],
      ...["6 triggers", "6 alerts", "7 users", "8 projects", "9 runner-api"],
    ]);
    expect(subscribersTo(userSuspended)).toEqual(["5 runner-api"]);
    expect(subscribersTo(userDeletionRequested)).toEqual(["5 groups"]);
  });

  test("when a member is removed, a place is transferred, a branch is pushed, or an issue or note is written", () => {
    expect(subscribersTo(memberRemoved)).toEqual(["5 issues"]);
    expect(subscribersTo(placeTransferred)).toEqual(["5 planning-transfers"]);
    expect(subscribersTo(refPushed)).toEqual(["5 pipelines"]);
    expect(subscribersTo(issueChanged)).toEqual(["5 alerts", "6 issue-mails"]);
    for (const event of [issueSaved, issueMoved, issueMarkedAsDuplicate, noteUpdated]) {
      expect(subscribersTo(event)).toEqual(["5 system-notes"]);
    }
    expect(subscribersTo(awardToggleRequested)).toEqual(["5 award-emoji"]);
    expect(subscribersTo(noteCreated)).toEqual(["5 system-notes", "5 issue-mails"]);
    expect(subscribersTo(epicCreated)).toEqual(["5 issue-mails"]);
    expect(subscribersTo(issuePromotionRequested)).toEqual(["5 epics"]);
    expect(subscribersTo(issuePromoted)).toEqual(["5 system-notes"]);
  });

  test("and there are no other events", () => {
    expect(productModules.subscriptions.size).toBe(18);
  });
});
