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
  const script = join(import.meta.dir, "scripts/gitbeaker-about-users.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  test("sets, shows, filters by and removes custom attributes", () => {
    const [team, ship] = [
      { key: "team", value: "red" },
      { key: "ship", value: "Lark & Co" },
    ];
    expect([seen.set, seen.attribute]).toEqual([team, ship]);
    expect([seen.attributes, seen.withAttributes]).toEqual([
      [team, ship],
      [team, ship],
    ]);
    expect(seen.byAttribute).toEqual(["mara"]);
    expect(seen.attributesAfter).toEqual([ship]);
  });

  test("creates an impersonation token, which acts as the user and cannot revoke itself", () => {
    expect(seen.token).toMatchObject({ name: "support", scopes: ["api"], user_id: 2, impersonation: true });
    expect(seen.impersonated).toBe("mara");
    expect(seen.tokens).toEqual([seen.token.id]);
    expect(seen.shownToken).toMatchObject({ id: seen.token.id, active: true });
    expect(seen.shownToken).not.toHaveProperty("token");
    expect([seen.revokedByItself, seen.afterRevocation]).toEqual([400, 401]);
  });

  test("rotates a token: the new one works and the old one does not", () => {
    expect(seen.rotated).toMatchObject({ name: "laptop", scopes: ["api"], user_id: 2 });
    expect([seen.afterRotation, seen.byRotated]).toEqual([401, "mara"]);
  });

  test("sets a status and shows it, the user's own and another user's", () => {
    expect(seen.status).toMatchObject({ emoji: "coffee", message: "At sea", clear_status_at: expect.any(String) });
    expect(seen.statusByName).toEqual(seen.status);
    expect(seen.ownStatus).toEqual(seen.status);
  });

  test("changes preferences, lists activities and shows the counts", () => {
    expect(seen.preferences).toMatchObject({
      user_id: 2,
      view_diffs_file_by_file: true,
      show_whitespace_in_diffs: false,
    });
    expect(seen.preferencesShown).toEqual(seen.preferences);
    expect(seen.activities).toEqual(["root", "mara"]);
    expect(seen.counts).toMatchObject({ assigned_issues: 0, todos: 0 });
  });

  test("follows and unfollows", () => {
    expect([seen.followed, seen.unfollowed]).toEqual(["ines", "ines"]);
    expect(seen.followedAgain).toBe(304);
    expect([seen.followers, seen.following, seen.isFollowed]).toEqual([["mara"], ["ines"], true]);
  });
});
