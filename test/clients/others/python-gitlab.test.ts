import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";

/** Debian's own, which finds what apt installs; another `python3` may come first in PATH. */
const python = "/usr/bin/python3";
const missing = await installTool([python, "-c", "import gitlab"], "python3-gitlab");

const rootToken = "a-token-for-tests-0123456789";
const crew = Array.from({ length: 45 }, (_, index) => `crew${String(index + 1).padStart(2, "0")}`);
const everybody = ["root", "mara", ...crew, "ines"];
const newestFirst = everybody.toReversed();

describe.skipIf(missing !== undefined)("python-gitlab, unmodified", () => {
  let outpost: OutpostProcess | undefined;
  let seen: Record<string, Json>;

  beforeAll(async () => {
    outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
    const script = join(import.meta.dir, "python-gitlab.py");
    seen = await runClientScript([python, script], { HOST: outpost.origin, TOKEN: rootToken });
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
  });

  test("authenticates and reads the version", () => {
    expect(seen.current_user).toMatchObject({ id: 1, username: "root", is_admin: true });
    expect(seen.server_version[0]).toMatch(/^\d+\.\d+\.\d+-ee$/);
    expect(seen.metadata).toMatchObject({ version: seen.server_version[0], revision: seen.server_version[1] });
  });

  test("creates users and reads the attributes that it set", () => {
    expect(seen.created).toMatchObject({
      id: 2,
      username: "mara",
      email: "mara@skylark.example",
      bio: "Sails, “æther” & 漢字",
      projects_limit: 7,
      created_by: { username: "root" },
    });
    expect(seen.shown).toMatchObject(seen.created);
    expect(seen.with_password).toBe("Inès Moreau");
    expect(seen.lazy).toBe(2);
  });

  test.each([
    ["first_page", newestFirst.slice(0, 20)],
    ["all", newestFirst],
    ["iterator", everybody],
    ["keyset", everybody],
    ["keyset_all", ["root", ...crew, "ines", "mara"]],
    ["keyset_client", newestFirst],
    ["page", everybody.slice(5, 10)],
    ["paged", [48, 48, 5, 10, 1, 2]],
  ])("%s: the pages are followed as far as they should", (name, expected) => {
    expect(seen[name]).toEqual(expected);
  });

  test.each([
    ["by_username", ["mara"]],
    ["by_search", crew.slice(0, 9)],
    ["active", 48],
    ["blocked", []],
    ["created_after", []],
  ])("%s: filters are understood", (name, expected) => {
    expect(seen[name]).toEqual(expected);
  });

  test("counts issues; the last value of a repeated plain name counts", () => {
    expect(seen.statistics).toEqual([2, 0, 2, 1, 2, 0, 2, 1]);
  });

  test("creates tokens, lists them, authenticates with them in both ways", () => {
    expect(seen.token).toMatchObject({ name: "laptop", scopes: ["api"], user_id: 2 });
    expect(seen.second_token).toMatchObject({ name: "phone", scopes: ["read_user"] });
    expect([seen.tokens, seen.tokens_raw]).toEqual([
      ["laptop", "phone"],
      ["laptop", "phone"],
    ]);
    expect([seen.as_mara, seen.by_bearer, seen.own_token]).toEqual(["mara", "mara", "laptop"]);
  });

  test("acts as another user", () => expect(seen.sudo).toBe("mara"));

  test.each([
    ["unknown_user", "GitlabGetError", 404, "404 User Not Found"],
    ["email_taken", "GitlabCreateError", 409, "Email has already been taken"],
    ["username_taken", "GitlabCreateError", 409, "Username has already been taken"],
    [
      "missing",
      "GitlabCreateError",
      400,
      "email is missing, name is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided",
    ],
    ["bad_order", "GitlabListError", 400, "order_by does not have a valid value"],
    ["bad_token", "GitlabAuthenticationError", 401, "401 Unauthorized"],
    ["anonymous", "GitlabListError", 403, "403 Forbidden - Not authorized to access /api/v4/users"],
    ["not_administrator", "GitlabCreateError", 403, "403 Forbidden"],
    ["scope_too_small", "GitlabHttpError", 403, "insufficient_scope"],
    ["sudo_by_others", "GitlabHttpError", 403, "403 Forbidden - Must be admin to use sudo"],
  ])("%s is raised as %s %i: %s", (name, error, status, message) => {
    expect(seen.refused[name]).toEqual({ name: error, status, message });
  });

  test("sets, lists and deletes feature flags", () => {
    expect(seen.features).toEqual({
      set: {
        name: "new_search",
        state: "conditional",
        gates: [
          { key: "boolean", value: false },
          { key: "actors", value: ["User:1"] },
        ],
        definition: null,
      },
      listed: [
        ["new_list", "conditional"],
        ["new_search", "conditional"],
      ],
      refused: { name: "GitlabSetError", status: 400, message: "400 Bad request - nobody is not found!" },
      not_administrator: { name: "GitlabListError", status: 403, message: "403 Forbidden" },
      left: ["new_list"],
    });
  });

  test("registers, lists, changes, assigns and deletes runners", () => {
    expect(seen.runners).toEqual({
      saved: [false, true, ["c"]],
      listed: [true],
      lent: ["old"],
      jobs: 0,
      verified: { name: "GitlabVerifyError", status: 403, message: "403 Forbidden" },
      left: [],
    });
  });

  test("a revoked token stops working at once", () => {
    const dead = { name: "GitlabAuthenticationError", status: 401, message: "invalid_token" };
    expect([seen.after_delete, seen.after_self_delete]).toEqual([dead, dead]);
  });
});
