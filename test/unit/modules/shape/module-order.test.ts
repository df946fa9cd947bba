import { describe, expect, test } from "bun:test";
import { memberEvents } from "../../../../src/modules/core/access/index.ts";
import {
  groupEvents,
  groupRemovalStep,
  projectEvents,
  projectRemovalStep,
} from "../../../../src/modules/core/namespaces/index.ts";
import { userDeletionRequested, userEvents, userRemovalStep } from "../../../../src/modules/core/users/index.ts";
import { noteEvents } from "../../../../src/modules/discussions/notes/index.ts";
import { modules, productModules } from "../../../../src/modules/index.ts";
import type { DomainEvent, Subscription } from "../../../../src/modules/kernel/event.ts";
import { mergeRequestEvents } from "../../../../src/modules/merge-requests/merge-requests/index.ts";
import { epicEvents, issuePromoted } from "../../../../src/modules/planning/epics/index.ts";
import {
  issueEvents,
  issueMarkedAsDuplicate,
  issuePromotionRequested,
} from "../../../../src/modules/planning/issues/index.ts";
import { awardToggleRequested } from "../../../../src/modules/planning/quick-actions/index.ts";
import { releaseEvents } from "../../../../src/modules/releases/releases/index.ts";
import { pushedProjectRequested } from "../../../../src/modules/repositories/git-transport/index.ts";
import { refPushed } from "../../../../src/modules/repositories/repositories/index.ts";

/** The same without those of the usual phase: nothing depends on their order. */
function orderedSubscribersTo(event: DomainEvent<unknown>): (string | undefined)[] {
  return subscribersTo(event, ({ phase = 5 }) => phase !== 5);
}

/** Phases and names of the modules that subscribe to an event, in the order in which they run. */
function subscribersTo(
  event: DomainEvent<unknown>,
  isMeant: (subscription: Subscription) => boolean = () => true,
): (string | undefined)[] {
  return (productModules.subscriptions.get(event) ?? []).filter(isMeant).map((subscription) => {
    const owner = modules.find(({ on = [] }) => on.includes(subscription));
    return `${subscription.phase ?? 5} ${owner?.name}`;
  });
}

describe("subscribers run in order", () => {
  test("when a project is deleted: records that refer to others are removed before them, the repository last", () => {
    expect(orderedSubscribersTo(projectRemovalStep)).toEqual([
      ...["1 alerts", "2 issues", "2 merge-requests", "3 snippets", "4 protected-branches", "4 releases"],
      ...["6 packages", "6 packages", "6 packages", "6 container-registry", "7 pipelines", "7 triggers"],
      ...["8 projects", "8 job-token-scope", "8 runners", "9 repositories"],
    ]);
  });

  test("when a group is deleted", () => {
    expect(orderedSubscribersTo(groupRemovalStep)).toEqual([
      ...["8 job-token-scope", "8 runners"],
      ...["9 groups", "9 storage-moves", "9 notification-settings"],
    ]);
  });

  test("when a user is deleted", () => {
    expect(orderedSubscribersTo(userRemovalStep)).toEqual([
      ...["1 groups", "1 award-emoji", "2 notes", "2 commit-notes", "3 snippets", "3 releases", "3 uploads", "3 epics"],
      ...["4 issues", "4 issues"],
      ...["4 merge-requests", "4 merge-requests"],
      ...["6 pipeline-schedules", "6 triggers", "6 alerts", "7 users", "8 projects", "9 runner-api"],
    ]);
    expect(subscribersTo(userEvents.updated)).toEqual(["5 runner-api"]);
    expect(subscribersTo(userDeletionRequested)).toEqual(["5 groups"]);
  });

  test("when a member is removed, a place is transferred, a branch is pushed, or an issue or note is written", () => {
    expect(subscribersTo(memberEvents.deleted)).toEqual(["5 issues", "5 merge-requests"]);
    for (const event of [projectEvents.updated, groupEvents.updated]) {
      expect(subscribersTo(event)).toEqual(["5 planning-transfers"]);
    }
    expect(subscribersTo(refPushed)).toEqual(["5 pipelines", "5 releases", "5 merge-requests"]);
    expect(subscribersTo(pushedProjectRequested)).toEqual(["5 projects"]);
    expect(subscribersTo(issueEvents.created)).toEqual(["5 system-notes", "6 issue-mails"]);
    expect(subscribersTo(issueEvents.updated)).toEqual(["5 system-notes", "5 alerts", "6 issue-mails"]);
    for (const event of [issueMarkedAsDuplicate, noteEvents.updated]) {
      expect(subscribersTo(event)).toEqual(["5 system-notes"]);
    }
    for (const event of [mergeRequestEvents.created, mergeRequestEvents.updated]) {
      expect(subscribersTo(event)).toEqual(["5 merge-request-system-notes", "6 merge-request-mails"]);
    }
    expect(subscribersTo(awardToggleRequested)).toEqual(["5 award-emoji"]);
    expect(subscribersTo(noteEvents.created)).toEqual(["5 system-notes", "5 issue-mails"]);
    expect(subscribersTo(epicEvents.created)).toEqual(["5 issue-mails"]);
    expect(subscribersTo(releaseEvents.created)).toEqual(["5 releases", "6 issue-mails"]);
    expect(subscribersTo(releaseEvents.updated)).toEqual(["5 releases"]);
    expect(subscribersTo(issuePromotionRequested)).toEqual(["5 epics"]);
    expect(subscribersTo(issuePromoted)).toEqual(["5 system-notes"]);
  });

  test("and no other event has subscribers", () => {
    const heard = [...productModules.subscriptions].filter(([, { length }]) => length > 0);
    expect(heard).toHaveLength(23);
  });
});
