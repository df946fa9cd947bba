import { describe, expect, test } from "bun:test";
import type { SignedInCaller } from "../../../src/domain/caller.ts";
import { modules, productModules } from "../../../src/modules/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { assembleModules, defineModule, type ModuleManifest } from "../../../src/modules/kernel/module.ts";
import type { Phase } from "../../../src/modules/kernel/phase.ts";
import type { ProjectRemoval, Push } from "../../../src/modules/kernel/project-hooks.ts";
import type { Transaction } from "../../../src/store/index.ts";

type Field = "onProjectDeleted" | "onGroupDeleted" | "onUserDeleted" | "onMemberRemoved" | "onIssueChanged";

/** Names of the modules that the parts come from. */
function ownersOf(parts: readonly unknown[], field: Field): (string | undefined)[] {
  const has = (manifest: ModuleManifest, part: unknown) => (manifest[field] as unknown[] | undefined)?.includes(part);
  return parts.map((part) => modules.find((manifest) => has(manifest, part) === true)?.name);
}

describe("the parts of modules run in order", () => {
  test("when a project is deleted: what points to other things goes before them, the repository last", () => {
    expect(ownersOf(productModules.projectRemovals, "onProjectDeleted")).toEqual([
      ...["alerts", "issues", "snippets", "projects", "labels", "milestones", "error-tracking"],
      ...["packages", "container-registry", "pipelines", "triggers", "job-token-scope", "runners"],
      ...["projects", "repositories"],
    ]);
  });

  test("when a group is deleted", () => {
    expect(ownersOf(productModules.groupRemovals, "onGroupDeleted")).toEqual([
      ...["labels", "milestones", "epics", "job-token-scope", "runners"],
      ...["groups", "repositories", "notification-settings"],
    ]);
  });

  test("when a user is deleted", () => {
    expect(ownersOf(productModules.userRemovals, "onUserDeleted")).toEqual([
      ...["groups", "award-emoji", "notes", "snippets", "epics", "issues"],
      ...["access-tokens", "sessions", "access", "user-status", "preferences", "follows"],
      ...["notification-settings", "planning-records", "spam", "triggers", "alerts", "custom-attributes", "projects"],
    ]);
  });

  test("when a member is removed, and when an issue changes", () => {
    expect(ownersOf(productModules.memberDepartures, "onMemberRemoved")).toEqual(["issues"]);
    expect(ownersOf(productModules.issueListeners, "onIssueChanged")).toEqual(["alerts", "issue-mails"]);
  });
});

test("lower phases run first, and those without a phase in the middle", () => {
  const removal = (phase?: Phase): ProjectRemoval => ({ ...(phase === undefined ? {} : { phase }), remove: () => 0 });
  const [last, middle, early, alsoMiddle] = [removal(9), removal(), removal(4), removal(5)];
  const { projectRemovals } = assembleModules([
    defineModule({ name: "one", onProjectDeleted: [last, middle] }),
    defineModule({ name: "two", onProjectDeleted: [early, alsoMiddle] }),
  ]);
  expect(projectRemovals.map((each) => [last, middle, early, alsoMiddle].indexOf(each))).toEqual([2, 1, 3, 0]);
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
