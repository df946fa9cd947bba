import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-about-notifications.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  const notification_email = "mara@skylark.example";

  test("shows and edits the global notification settings", () => {
    expect(seen.first).toEqual({ level: "participating", notification_email });
    expect(seen.custom.events).toMatchObject({ new_note: true, new_issue: false, failed_pipeline: false });
    expect(seen.merged.events).toEqual({ ...seen.custom.events, new_issue: true });
    expect(Object.keys(seen.merged.events)).toHaveLength(20);
    expect(seen.camelized).toMatchObject({ notificationEmail: notification_email, events: { newNote: true } });
    expect(seen.watch).toEqual({ level: "watch", notification_email });
    expect(seen.bySudo).toEqual(seen.watch);
  });

  test("shows and edits the settings of a group, by path and by id", () => {
    expect([seen.groupFirst, seen.groupEdited, seen.groupShown, seen.groupBack]).toEqual([
      { level: "global" },
      { level: "mention" },
      { level: "mention" },
      { level: "global" },
    ]);
  });

  test("counts associations", () => {
    const none = { groups_count: 0, projects_count: 0, issues_count: 0, merge_requests_count: 0 };
    expect([seen.counts, seen.ownCounts]).toEqual([none, none]);
  });

  test.each([
    ["level", 400, "'nonsense' is not a valid level"],
    ["flag", 400, "new_note is invalid"],
    ["email", 400, '{"notification_email":["must be an email you have verified"]}'],
    ["group", 404, "404 Group Not Found"],
    ["project", 404, "404 Project Not Found"],
    ["anonymous", 401, "401 Unauthorized"],
    ["counts", 403, "403 Forbidden"],
  ])("reports why %s is refused", (name, status, description) => {
    expect(seen.refused[name]).toEqual({ status, description });
  });
});
