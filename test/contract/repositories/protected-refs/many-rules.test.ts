import { expect, spyOn, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { OverBudget, WorkBudget, withBudget } from "../../../../src/domain/work-budget.ts";
import { Access } from "../../../../src/modules/core/access/index.ts";
import { type ProjectRecord, projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import {
  branchRightsIn,
  branchRulesInForce,
  protectedBranchTest,
} from "../../../../src/modules/repositories/protected-branches/index.ts";
import {
  protectedBranches,
  refAccessLevels,
  rowsInProjectMax,
} from "../../../../src/modules/repositories/protected-branches/records.ts";
import { protectedTagTest } from "../../../../src/modules/repositories/protected-tags/index.ts";
import { protectedTags } from "../../../../src/modules/repositories/protected-tags/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { store, context } = world;
const at = { created_at: world.clock.now(), updated_at: world.clock.now() } as Json;
let count = 0;

async function project(): Promise<Json> {
  count += 1;
  const json = { path: `many${count}`, initialize_with_readme: true, visibility: "public" };
  return (await world.call("POST", "/projects", { token: rootToken, json })).body;
}

/** Rules as earlier versions let them be made, each with rows for these groups. */
function insertRules(project_id: number, names: readonly string[], groupIds: readonly number[]): void {
  store.transact((tx) => {
    for (const name of names) {
      const id = tx.nextId("protected_branches");
      const options = { allow_force_push: false, code_owner_approval_required: false };
      tx.insert(protectedBranches, { id, project_id, name, ...options, ...at });
      for (const group_id of groupIds) {
        const row = { kind: "push", rule_id: id, project_id, access_level: null, user_id: null, group_id } as const;
        tx.insert(refAccessLevels, { id: tx.nextId("ref_access_levels"), ...row });
      }
    }
  });
}

function recordOf({ id }: Json): ProjectRecord {
  return store.of(projects).get(id) as ProjectRecord;
}

/** Names git has packed, all at the first commit. */
async function packRefs(of: Json, names: readonly string[]): Promise<void> {
  const folder = context.repositories.folderOf({ kind: "project", id: of.id, storage: "default" });
  const { body } = await world.call("GET", `/projects/${of.id}/repository/commits/main`, { token: rootToken });
  await appendFile(`${folder}/packed-refs`, names.map((name) => `${body.id} ${name}\n`).join(""));
}

const groupIds: number[] = [];
for (let each = 0; each < 5; each += 1) {
  const { body } = await world.call("POST", "/groups", { token: rootToken, json: { name: "g", path: `g${each}` } });
  groupIds.push(body.id);
}

test("a list of branches asks for a user's level in a group once", async () => {
  const made = await project();
  const user = await world.user();
  await packRefs(
    made,
    Array.from({ length: 9 }, (_, each) => `refs/heads/b${each}`),
  );
  insertRules(made.id, ["b*", "*", "**"], groupIds);
  await world.call("POST", `/projects/${made.id}/members`, {
    token: rootToken,
    json: { user_id: user.id, access_level: 30 },
  });
  using levels = spyOn(context.get(Access), "memberLevelInGroup");
  const { body } = await world.call("GET", `/projects/${made.id}/repository/branches`, { token: user.token });
  expect(body.map((branch: Json) => [branch.protected, branch.can_push])).toEqual(Array(10).fill([true, false]));
  expect(levels.mock.calls.map(([, groupId]) => groupId).filter((id) => groupIds.includes(id))).toEqual(groupIds);
});

test("the rows of a rule are counted once, however many branches it is about", async () => {
  const made = await project();
  insertRules(made.id, ["*"], groupIds);
  const record = recordOf(made);
  const stepsFor = (branches: number) => {
    const budget = new WorkBudget();
    withBudget(budget, () => {
      const rightsOn = branchRightsIn(
        context,
        undefined,
        record,
        branchRulesInForce(context, record, { isEmpty: false }),
      );
      for (let each = 0; each < branches; each += 1) rightsOn(`b${each}`);
    });
    return budget.steps;
  };
  // Ten for each row, three for each look at one of the two rules.
  expect(stepsFor(1)).toBeGreaterThanOrEqual(groupIds.length * 10);
  expect(stepsFor(100) - stepsFor(1)).toBe(99 * 2 * 3);
});

test("each character of a name that is compared with a pattern counts", async () => {
  const made = await project();
  const names = Array.from({ length: 999 }, (_, each) => `*b${"*a".repeat(100)}*${each}*`);
  insertRules(made.id, names, []);
  store.transact((tx) => {
    for (const name of names) {
      tx.insert(protectedTags, { id: tx.nextId("protected_tags"), project_id: made.id, name, create: [], ...at });
    }
  });
  const record = recordOf(made);
  const tests = [protectedBranchTest(context, record), protectedTagTest(context, record)];
  const long = "a".repeat(980);
  for (const isProtected of tests) {
    const budget = new WorkBudget();
    withBudget(budget, () => isProtected(long));
    expect(budget.steps).toBeGreaterThan(names.length * (long.length + 100));
    const all = () => withBudget(new WorkBudget(), () => Array.from({ length: 100 }, () => isProtected(long)));
    expect(all).toThrow(OverBudget);
  }
});

test("a project has at most 10000 rows of rules for branches", async () => {
  const made = await project();
  insertRules(made.id, ["*"], []);
  const [rule] = [...store.of(protectedBranches).by.project_id.find(made.id)];
  const free = rowsInProjectMax - store.of(refAccessLevels).by.project_id.find(made.id).size - 3;
  store.transact((tx) => {
    for (let each = 0; each < free; each += 1) {
      const row = { kind: "push", access_level: 40, user_id: null, group_id: null } as const;
      tx.insert(refAccessLevels, {
        id: tx.nextId("ref_access_levels"),
        rule_id: rule as number,
        project_id: made.id,
        ...row,
      });
    }
  });
  const path = `/projects/${made.id}/protected_branches`;
  const send = (name: string) => world.call("POST", path, { token: rootToken, json: { name } });
  expect((await send("one")).status).toBe(201);
  const refused = await send("two");
  const text = "Project has too many access levels of protected branches (maximum is 10000)";
  expect([refused.status, refused.body]).toEqual([422, { message: [text] }]);
});
