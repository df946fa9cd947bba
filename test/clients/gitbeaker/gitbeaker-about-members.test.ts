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
  const script = join(import.meta.dir, "scripts/gitbeaker-about-members.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  for (const kind of ["group", "project"]) {
    test(`adds, changes, lists and removes members of a ${kind}`, () => {
      const found = seen[kind];
      expect(found.added).toMatchObject({ username: "mara", access_level: 30, expires_at: "2999-01-01" });
      expect(found.again).toMatchObject({ status: 409, description: "Member already exists" });
      expect(found.several).toEqual({ status: "success" });
      expect(found.edited).toMatchObject({ username: "ines", access_level: 40 });
      expect(found.shown).toMatchObject({ username: "ines", access_level: 40, created_by: { username: "root" } });
      expect(found.shownInherited).toMatchObject({ username: "root", access_level: 50 });
      expect(found.notDirect).toMatchObject({ status: 404, description: "404 Not found" });
      const root = kind === "group" ? ["root 50"] : [];
      expect(found.direct).toEqual([...root, "mara 30", "ines 40"]);
      expect(found.all.toSorted()).toEqual(["ines 40", "mara 30", "root 50"]);
      expect(found.filtered).toEqual(["mara"]);
      expect(found.refused).toMatchObject({ status: 403, description: "403 Forbidden" });
    });

    test(`asks for access to a ${kind}, approves and denies`, () => {
      const found = seen[kind];
      expect(found.requested).toMatchObject({ username: "olof", requested_at: expect.any(String) });
      expect(found.requests).toEqual(["olof"]);
      expect(found.approved).toMatchObject({ username: "olof", access_level: 20 });
      expect([found.requestedAgain, found.none]).toEqual(["olof", []]);
    });
  }

  test("lists, approves and removes billable members", () => {
    expect(seen.billable).toEqual(["root", "mara", "ines"]);
    expect(seen.memberships).toEqual(["Skylark / nest Maintainer", "Skylark Maintainer"]);
    expect(seen.pending).toEqual([]);
    expect(seen.approve).toMatchObject({ status: 400 });
    expect(seen.billableAfter).toEqual(["root", "mara"]);
  });

  test("shares groups and projects, and ends the shares", () => {
    expect(seen.shared).toMatchObject([{ group_full_path: "crew", group_access_level: 20 }]);
    expect(seen.sharedProject).toMatchObject({ group_access: 30 });
    expect(seen.unsharedAgain).toMatchObject({ status: 404, description: "404 Group Link Not Found" });
  });

  test("lists a user's memberships; those below a group end with the group's", () => {
    expect(seen.ofUser).toEqual([
      ["nest", "Project"],
      ["Skylark", "Namespace"],
    ]);
    expect(seen.afterRemoval).toEqual([]);
  });
});
