import { describe, expect, test } from "bun:test";
import type { SignedInCaller } from "../../../src/domain/caller.ts";
import { groupDeleted, projectDeleted } from "../../../src/modules/core/namespaces/index.ts";
import { userDeleted, userDeletionRequested } from "../../../src/modules/core/users/index.ts";
import { modules, productModules } from "../../../src/modules/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import type { DomainEvent } from "../../../src/modules/kernel/event.ts";
import { assembleModules, defineModule, type ModuleManifest } from "../../../src/modules/kernel/module.ts";
import type { Push } from "../../../src/modules/kernel/project-hooks.ts";
import type { Transaction } from "../../../src/store/index.ts";

type Field = "onMemberRemoved" | "onIssueChanged";

/** Names of the modules that the parts come from. */
function ownersOf(parts: readonly unknown[], field: Field): (string | undefined)[] {
  const has = (manifest: ModuleManifest, part: unknown) => (manifest[field] as unknown[] | undefined)?.includes(part);
  return parts.map((part) => modules.find((manifest) => has(manifest, part) === true)?.name);
}

/** Phases and names of the modules that subscribe to an event, in the order in which they run. */
function subscribersTo(event: DomainEvent<unknown>): (string | undefined)[] {
  return (productModules.subscriptions.get(event) ?? []).map((subscription) => {
    const owner = modules.find(({ on = [] }) => on.includes(subscription));
    return `${subscription.phase ?? 5} ${owner?.name}`;
  });
}

describe("the parts of modules run in order", () => {
  test("when a project is deleted: what points to other things goes before them, the repository last", () => {
    expect(subscribersTo(projectDeleted)).toEqual([
      ...["1 alerts", "2 issues", "3 snippets"],
      ...["5 projects", "5 labels", "5 milestones"],
      ...["5 error-tracking", "5 error-tracking", "5 error-tracking", "5 error-tracking"],
      ...["6 packages", "6 packages", "6 packages", "6 container-registry", "7 pipelines", "7 triggers"],
      ...["8 projects", "8 job-token-scope", "8 runners", "9 repositories"],
    ]);
  });

  test("when a group is deleted", () => {
    expect(subscribersTo(groupDeleted)).toEqual([
      ...["5 labels", "5 milestones", "5 epics", "8 job-token-scope", "8 runners"],
      ...["9 groups", "9 repositories", "9 notification-settings"],
    ]);
  });

  test("when a user is deleted", () => {
    expect(subscribersTo(userDeleted)).toEqual([
      ...["1 groups", "1 award-emoji", "2 notes", "3 snippets", "3 epics", "4 issues"],
      ...[
        "5 access-tokens",
        "5 user-status",
        "5 preferences",
        "5 notification-settings",
        "5 planning-records",
        "5 spam",
      ],
      ...["6 triggers", "6 alerts", "7 users", "9 projects"],
    ]);
    expect(subscribersTo(userDeletionRequested)).toEqual(["5 groups"]);
  });

  test("when a member is removed, and when an issue changes", () => {
    expect(ownersOf(productModules.memberDepartures, "onMemberRemoved")).toEqual(["issues"]);
    expect(ownersOf(productModules.issueListeners, "onIssueChanged")).toEqual(["alerts", "issue-mails"]);
  });
});

test("every module that follows pushes is told of each, and what follows runs in one transaction", async () => {
  const told: string[] = [];
  const following = (name: string, follows: boolean) =>
    defineModule({
      name,
      onPush: async (_, { ref }) => {
        told.push(`${name} ${ref}`);
        return follows ? () => void told.push(`${name} in the transaction`) : undefined;
      },
    });
  const { onPush } = assembleModules([following("one", true), following("two", false), following("three", true)]);
  const push: Push = {
    ...{ caller: {} as SignedInCaller, project: {} as Push["project"], ref: "refs/heads/main", before: "", after: "" },
    ...{ message: "", baseUrl: "" },
  };
  (await onPush({} as Context, push))?.({} as Transaction);
  expect(told).toEqual([
    ...["one refs/heads/main", "two refs/heads/main", "three refs/heads/main"],
    ...["one in the transaction", "three in the transaction"],
  ]);
});

test("a project fact comes from one module", () => {
  const counting = { openIssuesCount: () => 1 };
  const one = defineModule({ name: "one", projectFacts: counting });
  expect(assembleModules([one]).projectFacts).toMatchObject(counting);
  const assemble = () => assembleModules([one, defineModule({ name: "two", projectFacts: counting })]);
  expect(assemble).toThrow("the module two has the project fact openIssuesCount, which the module one has too");
});
