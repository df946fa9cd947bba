import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { picture } from "../../support/browser/pictures.ts";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-about-groups.mjs");
  const PICTURE = Buffer.from(picture("png")).toString("base64");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken, PICTURE });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  test("creates groups, subgroups, and groups with an avatar", () => {
    expect(seen.top).toMatchObject({ full_path: "skylark", description: "Birds", visibility: "public" });
    expect(seen.sub).toMatchObject({ full_path: "skylark/core", parent_id: seen.top.id });
    expect(seen.pictured.avatar_url).toBe(
      `${outpost.origin}/uploads/-/system/group/avatar/${seen.pictured.id}/logo.png`,
    );
  });

  test("reads them", () => {
    expect(seen.shown).toMatchObject({ id: seen.sub.id, full_name: "Skylark / Core Team", projects: [] });
    expect(seen.withoutProjects).not.toHaveProperty("projects");
    expect(seen.camelized).toMatchObject({ fullPath: "skylark", requestAccessEnabled: true });
  });

  test("lists, filters and searches them, over pages", () => {
    expect(seen.all).toEqual(["pictured", "skylark"]);
    expect(seen.mine).toBe(28);
    expect(seen.anonymous).toEqual(["skylark/core", "skylark"]);
    expect(seen.search).toHaveLength(2);
    expect(seen.skipped).toEqual(["pictured"]);
    expect(seen.statistics).toMatchObject({ storage_size: 0 });
    expect(seen.subgroups).toEqual(["skylark/core"]);
    expect(seen.descendants).toBe(26);
    expect(seen.expanded).toMatchObject({ count: 10, pagination: { total: 26, current: 2, totalPages: 3 } });
  });

  test("updates and transfers them", () => {
    expect(seen.edited).toMatchObject({ name: "Skylarks", default_branch: "trunk", description: "Birds" });
    expect(seen.withoutPicture.avatar_url).toBeNull();
    expect(seen.moved).toMatchObject({ parent_id: null, full_path: "core" });
    expect(seen.movedBack).toMatchObject({ full_path: "pictured/core", visibility: "private" });
  });

  test("reads namespaces", () => {
    expect(seen.namespaces).toEqual(["mara", "skylark", "pictured"]);
    expect(seen.namespace).toMatchObject({ kind: "group", members_count_with_descendants: 1, plan: "default" });
    expect(seen.exists).toEqual({ exists: true, suggests: ["skylark1"] });
    expect(seen.existsNot).toEqual({ exists: false, suggests: [] });
  });

  test("reports the refusal", () => {
    const taken = { status: 400, description: `Failed to save group {:path=>["has already been taken"]}` };
    expect(seen.refused.taken).toEqual(taken);
    expect(seen.refused.takenLater.status).toBe(400);
    expect(seen.refused.notMine.status).toBe(401);
    expect(seen.refused.hidden).toEqual({ status: 404, description: "404 Group Not Found" });
    expect(seen.refused.badTransfer.description).toBe("Transfer failed: Group is already a root group.");
    expect(seen.refused.namespace).toEqual({ status: 404, description: "404 Namespace Not Found" });
  });

  test("deletes them, and their paths are free", () => {
    expect(seen.removed).toEqual({ message: "202 Accepted" });
    expect(seen.afterwards.status).toBe(404);
    expect(seen.again).toBe("skylark");
    expect(seen.soleOwner.status).toBe(409);
  });
});
