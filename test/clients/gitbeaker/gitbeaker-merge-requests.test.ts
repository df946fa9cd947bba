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
  const script = join(import.meta.dir, "scripts/gitbeaker-merge-requests.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates, shows and changes merge requests", () => {
  expect(seen.created).toMatchObject({
    ...{ iid: 1, labels: ["bug", "noise"], assignee: { username: "mara" }, reviewers: [{ username: "mara" }] },
    ...{ force_remove_source_branch: true, squash: true, references: { full: "acme/Van!1" } },
    task_completion_status: { count: 1, completed_count: 0 },
  });
  expect(seen.edited).toMatchObject({ draft: true, state: "closed", labels: ["bug", "loud", "noise"] });
  expect([seen.shown, seen.reopened, seen.twin, seen.unknown]).toEqual(["1", "opened", 409, 400]);
});

test("gitbeaker lists merge requests with filters, page after page", () => {
  expect([seen.all, seen.inGroup, seen.drafts, seen.anonymous]).toEqual([6, [1], [1], 6]);
});

test("gitbeaker reads commits, diffs and people, and writes notes", () => {
  expect([seen.commits, seen.diffs]).toEqual([["Add roof.txt"], ["roof.txt"]]);
  expect([seen.versions, seen.version]).toEqual([["collected"], 1]);
  expect([seen.participants, seen.reviewers]).toEqual([["root", "mara"], ["unreviewed"]]);
  expect([seen.ownWork, seen.approvals, seen.note]).toEqual([401, [], "Nice"]);
  expect([seen.spent, seen.unsubscribed, seen.removed]).toEqual(["1h", false, 404]);
});
