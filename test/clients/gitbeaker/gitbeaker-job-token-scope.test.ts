import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-job-token-scope.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker reads and changes the limit", () => {
  expect(seen.first).toEqual({ inbound_enabled: true, outbound_enabled: false });
  expect([seen.off.inbound_enabled, seen.on.inbound_enabled]).toEqual([false, true]);
});

test("gitbeaker adds, lists and removes projects", () => {
  const [source, target] = seen.ids;
  expect(seen.added).toEqual({ source_project_id: source, target_project_id: target });
  expect([seen.projects, seen.projectsLeft]).toEqual([["Ledger", "Bills"], ["Ledger"]]);
});

test("gitbeaker adds, lists and removes groups", () => {
  const [source, , group] = seen.ids;
  expect(seen.addedGroup).toEqual({ source_project_id: source, target_group_id: group });
  expect(seen.groups).toEqual([{ id: group, web_url: `${outpost.origin}/groups/shops`, name: "Shops" }]);
  expect(seen.refusal).toContain("Target group is already in the job token scope");
  expect(seen.groupsLeft).toEqual([]);
});

test("gitbeaker authenticates as a running job with its token, and triggers pipelines where the allowlist permits it", () => {
  expect(seen.job).toMatchObject({ name: "job", status: "running", pipeline: { project_id: seen.ids[1] } });
  expect([seen.notListed, seen.otherwise]).toEqual(["404 Not Found", "404 Project Not Found"]);
  expect(seen.triggered).toMatchObject({ source: "pipeline", project_id: seen.ids[0] });
  expect(seen.bridges).toMatchObject([{ id: seen.job.id, downstream_pipeline: { id: seen.triggered.id } }]);
});
