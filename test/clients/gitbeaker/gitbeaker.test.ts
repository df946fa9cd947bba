import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";
const crew = Array.from({ length: 45 }, (_, index) => `crew${String(index + 1).padStart(2, "0")}`);
const everybody = ["root", "mara", "ines", ...crew, "guest"];
const newestFirst = everybody.toReversed();

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  test("runs under Node", () => expect(seen.runtime).toStartWith("node "));

  test("reads the metadata of the instance", () => {
    expect(seen.metadata).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+-ee$/), enterprise: true });
  });

  describe("users", () => {
    test("the current user is the owner of the token", () => {
      expect(seen.currentUser).toMatchObject({ id: 1, username: "root", is_admin: true });
    });

    test("a created user has the attributes of the request", () => {
      expect(seen.created).toMatchObject({
        id: 2,
        username: "mara",
        email: "mara@skylark.example",
        bio: "Sails, “æther” & 漢字 🙂",
        projects_limit: 7,
        created_by: { username: "root" },
        web_url: `${outpost.origin}/mara`,
      });
      expect(seen.created.confirmed_at).toBe(seen.created.created_at);
    });

    test("an expanded answer has status and headers", () => {
      expect(seen.createdExpanded).toMatchObject({
        data: { username: "ines", confirmed_at: null, identities: [{ provider: "saml", extern_uid: "i-1" }] },
        status: 201,
        headers: { "content-type": "application/json", "x-request-id": expect.any(String) },
      });
      expect(seen.shownExpanded).toMatchObject({ data: { username: "mara" }, status: 200 });
    });

    test("an external user may not create groups or projects", () => {
      expect(seen.external).toMatchObject({ external: true, can_create_group: false, projects_limit: 0 });
    });

    test("a shown user is the created one, in camel case too", () => {
      expect(seen.shown).toMatchObject(seen.created);
      expect(seen.shownCamelized).toMatchObject({ id: 2, username: "mara", webUrl: `${outpost.origin}/mara` });
    });

    test("callers who are no administrators see fewer fields", () => {
      expect(seen.seenByMara).toMatchObject({ username: "ines", bot: false });
      expect(seen.seenByMara).not.toContainKeys(["email", "is_admin", "note"]);
      expect(seen.listedForMara).toBe("avatar_url,id,locked,name,state,username,web_url");
    });
  });

  describe("lists", () => {
    test.each([
      ["all", newestFirst],
      ["allByHundred", newestFirst],
      ["allAscending", everybody],
      ["keyset", everybody],
      ["keysetByName", ["root", ...crew, "guest", "ines", "mara"]],
      ["keysetDefault", newestFirst],
      ["onePage", everybody.slice(5, 10)],
      ["maxPages", everybody.slice(0, 15)],
    ])("%s: the pages are followed as far as they should", (name, expected) => {
      expect(seen[name]).toEqual(expected);
    });

    test("an expanded offset page has its pagination data", () => {
      const pagination = { total: 49, next: 3, current: 2, previous: 1, perPage: 10, totalPages: 5 };
      expect(seen.expanded).toEqual({ count: 10, pagination });
    });

    test("an expanded keyset list holds all pages", () => {
      expect(seen.expandedKeyset).toMatchObject({ count: 49, pagination: { perPage: 10, orderBy: "id" } });
    });

    test.each([
      ["byUsername", ["mara"]],
      ["bySearch", crew.slice(0, 9)],
      ["byEmail", ["ines"]],
      ["externals", ["guest"]],
      ["withoutExternals", 48],
      ["activeHumans", 49],
      ["blocked", []],
      ["admins", ["root"]],
      ["byIdentity", ["ines"]],
      ["createdBefore", []],
      ["createdAfter", 49],
    ])("%s: filters are understood", (name, expected) => {
      expect(seen[name]).toEqual(expected);
    });
  });

  describe("tokens", () => {
    test("a created token is shown only once and can be read and listed", () => {
      expect(seen.token).toMatchObject({ name: "laptop", scopes: ["api"], user_id: 2, active: true });
      expect(seen.token.token.length).toBeGreaterThanOrEqual(20);
      expect(seen.secondToken).toMatchObject({ name: "reader", scopes: ["read_user", "read_api"] });
      expect(seen.tokens).toEqual(["laptop", "reader"]);
      expect(seen.tokensFound).toEqual(["laptop"]);
      const { token: _, ...record } = seen.token;
      expect(seen.tokenShown).toEqual({ ...record, last_used_ips: [] });
    });

    test("it authenticates its owner in every place of the request", () => {
      expect(seen.asMara).toMatchObject({ id: 2, username: "mara" });
      expect([seen.byBearer, seen.byFunction]).toEqual(["mara", "mara"]);
      expect(seen.ownToken).toMatchObject({ id: seen.token.id, last_used_ips: ["127.0.0.1"] });
      expect(seen.ownTokens).toEqual(["laptop", "reader"]);
    });

    test("stops working at once when it is revoked, by itself or by an administrator", () => {
      expect([seen.removed, seen.removedById]).toEqual([null, null]);
      const dead = { name: "GitbeakerRequestError", status: 401, description: "invalid_token" };
      expect(seen.afterRemoval).toMatchObject(dead);
      expect(seen.afterRemovalById).toMatchObject(dead);
      expect(seen.revoked).toEqual(["laptop", "reader"]);
    });
  });

  test("an administrator acts as another user, on every page of a list too", () => {
    expect([seen.sudoById, seen.sudoByName]).toEqual(["mara", "ines"]);
    expect(seen.sudoPages).toBe(49);
  });

  describe("errors give the reason", () => {
    const atLeastOne =
      "password, reset_password, force_random_password are missing, at least one parameter must be provided";
    test.each([
      ["unknownUser", 404, "404 User Not Found"],
      ["emailTaken", 409, "Email has already been taken"],
      ["usernameTaken", 409, "Username has already been taken"],
      ["missing", 400, `email is missing, name is missing, ${atLeastOne}`],
      ["noPassword", 400, atLeastOne],
      ["shortPassword", 400, '{"password":["is too short (minimum is 8 characters)"]}'],
      ["badOrder", 400, "order_by does not have a valid value"],
      ["badPage", 400, "page is invalid"],
      ["badBoolean", 400, "active is invalid"],
      ["badCursor", 400, "cursor is invalid"],
      ["badToken", 401, "401 Unauthorized"],
      ["anonymous", 401, "401 Unauthorized"],
      ["anonymousList", 403, "403 Forbidden - Not authorized to access /api/v4/users"],
      ["notAdministrator", 403, "403 Forbidden"],
      ["notAdministratorTokens", 403, "403 Forbidden"],
      ["othersToken", 401, "401 Unauthorized"],
      ["scopeTooSmall", 403, "insufficient_scope"],
      ["sudoByOthers", 403, "403 Forbidden - Must be admin to use sudo"],
      ["sudoUnknown", 404, "404 User with ID or username 'nobody-here' Not Found"],
      ["badScope", 400, "scopes does not have a valid value"],
      ["noScopes", 422, "Scopes can't be blank"],
      ["unknownToken", 404, "404 Not Found"],
    ])("%s: %i %s", (name, status, description) => {
      const refused = { name: "GitbeakerRequestError", message: description, description, status };
      expect(seen.refused[name]).toEqual(refused);
    });

    test.each([
      ["badName", 400, /"name":\["can't be blank"\],"username":\["can only include non-accented letters/],
      ["tooDeep", 405, /maximum allowed offset of 50000 .* type User/],
      ["tooLong", 422, /^Expires at must be before \d{4}-\d\d-\d\d$/],
    ])("%s: %i %p", (name, status, description) => {
      const refused = { name: "GitbeakerRequestError", description: expect.stringMatching(description), status };
      expect(seen.refused[name]).toMatchObject(refused);
    });
  });
});
