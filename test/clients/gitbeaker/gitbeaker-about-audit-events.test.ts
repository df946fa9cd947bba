import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";
const ofGroup = [...Array.from({ length: 25 }, () => "group_description_updated"), "member_created", "group_created"];

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-about-audit-events.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker follows the pages of the lists of the instance, a group and a project, by offset and by keyset", () => {
  expect(seen.all).toEqual(ofGroup);
  expect(seen.keyset).toEqual(ofGroup);
  expect(seen.group).toEqual(ofGroup);
  expect(seen.project).toEqual(["project_archived", "project_created"]);
  expect(seen.later).toEqual([]);
});

test("a single event is the same through the instance, the group and the project", () => {
  expect(seen.newest).toMatchObject({
    entity_type: "Project",
    entity_id: seen.ids.project,
    details: { custom_message: "Project archived", entity_path: "bank/Ledger" },
  });
  expect(seen.shown).toEqual(seen.newest);
  expect(seen.shownOfProject).toEqual(seen.newest);
});

test("gitbeaker reports the refusal", () => {
  expect(seen.refused.ofGroup).toEqual({ status: 404, description: "404 Not found" });
  expect(seen.refused.anonymous).toEqual({ status: 401, description: "401 Unauthorized" });
});
