import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { putProjectLink } from "../../../support/ci/job-token-links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { openShop, refusal } from "./setting.ts";

const world = await startWorld();
const { group, project, member } = placesOf(world);
const openProject = (path?: string) =>
  project(group({ visibility: "public" }).id, { visibility: "public", ...(path === undefined ? {} : { path }) });

describe("the list of projects", () => {
  test("begins with the project itself, then those that were added, in that order", async () => {
    const { source, call } = await openShop(world);
    const targets = [openProject(), openProject(), openProject()].reverse();
    for (const { id } of targets) {
      const { status, body } = await call("POST", "/allowlist", { target_project_id: id });
      expect([status, body]).toEqual([201, { source_project_id: source.id, target_project_id: id }]);
    }
    const { body, headers } = await call("GET", "/allowlist");
    expect(body.map(({ id }: { id: number }) => id)).toEqual([source, ...targets].map(({ id }) => id));
    expect(headers.get("x-total")).toBe("4");
    const second = await call("GET", "/allowlist?per_page=2&page=2");
    expect(second.body.map(({ id }: { id: number }) => id)).toEqual(targets.slice(1).map(({ id }) => id));
    // One-directional.
    const { body: other } = await world.get(`/projects/${targets[0]?.id}/job_token_scope/allowlist`);
    expect(other).toHaveLength(1);
  });

  test("shows the limited fields and no others, to every caller", async () => {
    const { body: made } = await world.call("POST", "/projects", {
      token: rootToken,
      json: { name: "Ledger", topics: ["money"], initialize_with_readme: true },
    });
    const { body } = await world.get(`/projects/${made.id}/job_token_scope/allowlist`);
    const base = `${world.origin}/root`;
    expect(body).toEqual([
      {
        id: made.id,
        description: null,
        name: "Ledger",
        name_with_namespace: made.name_with_namespace,
        path: "Ledger",
        path_with_namespace: "root/Ledger",
        created_at: made.created_at,
        default_branch: "main",
        tag_list: ["money"],
        topics: ["money"],
        ssh_url_to_repo: "git@127.0.0.1:root/Ledger.git",
        http_url_to_repo: `${base}/Ledger.git`,
        web_url: `${base}/Ledger`,
        avatar_url: null,
        star_count: 0,
        last_activity_at: expect.any(String),
        namespace: made.namespace,
      },
    ]);
  });

  test("shows projects that the caller cannot read themselves", async () => {
    const { source, call } = await openShop(world);
    const hidden = project(group().id);
    putProjectLink(world, source, hidden);
    expect((await call("GET", "/allowlist")).body[1]).toMatchObject({ id: hidden.id, default_branch: null });
  });
});

describe("a project is added", () => {
  test("by a maintainer who may read it, also as a guest, by its id as a text", async () => {
    const { call, mia } = await openShop(world);
    const [guests, internal] = [
      project(group().id),
      project(group({ visibility: "internal" }).id, { visibility: "internal" }),
    ];
    member(guests, mia.id, accessLevels.guest);
    expect((await call("POST", "/allowlist", { target_project_id: String(guests.id) })).status).toBe(201);
    expect((await call("POST", "/allowlist", { target_project_id: internal.id })).status).toBe(201);
  });

  test("unless an error prevents it", async () => {
    const { source, call } = await openShop(world);
    const add = async (target_project_id: unknown) => {
      const { status, body } = await call("POST", "/allowlist", { target_project_id });
      return [status, body];
    };
    const hidden = project(group().id).id;
    const open = openProject().id;
    expect(await add(999_999)).toEqual(refusal(404, "404 target_project_id not found Not Found"));
    expect(await add(hidden)).toEqual(
      refusal(
        400,
        "400 Bad request - The target_project that you are attempting to access does not exist or you don't have permission to perform this action",
      ),
    );
    expect(await add(source.id)).toEqual(
      refusal(400, "400 Bad request - Validation failed: Target project can't be the same as the source project"),
    );
    expect((await add(open))[0]).toBe(201);
    expect(await add(open)).toEqual(
      refusal(400, "400 Bad request - This project is already in the job token allowlist."),
    );
    for (const [given, word] of [
      [null, "empty"],
      ["", "empty"],
      [12.34, "invalid"],
      ["abc", "invalid"],
    ]) {
      expect((await add(given))[1].error).toBe(`target_project_id is ${word}`);
    }
    const { body } = await call("POST", "/allowlist", {});
    expect(body).toEqual({
      error: "target_project_id is missing, target_project_id is empty",
      message: '400 (Bad request) "target_project_id" not given',
    });
    expect((await call("GET", "/allowlist")).body).toHaveLength(2);
  });

  test("as long as there are fewer than 200", async () => {
    const { source, call } = await openShop(world);
    const home = group({ visibility: "public" }).id;
    const all = Array.from({ length: 201 }, () => project(home, { visibility: "public" }));
    for (const target of all.slice(0, 199)) putProjectLink(world, source, target);
    expect((await call("POST", "/allowlist", { target_project_id: all[199]?.id })).status).toBe(201);
    const { status, body } = await call("POST", "/allowlist", { target_project_id: all[200]?.id });
    expect([status, body]).toEqual(
      refusal(
        400,
        "400 Bad request - Validation failed: Source project exceeds the allowable number of project links in this direction",
      ),
    );
    expect((await call("DELETE", `/allowlist/${all[0]?.id}`)).status).toBe(204);
    expect((await call("POST", "/allowlist", { target_project_id: all[200]?.id })).status).toBe(201);
  });
});

describe("a project is removed", () => {
  test("once, and then is not on the list", async () => {
    const { source, call } = await openShop(world);
    const target = openProject();
    putProjectLink(world, source, target);
    expect((await call("DELETE", `/allowlist/${target.id}`)).status).toBe(204);
    const { status, body } = await call("DELETE", `/allowlist/${target.id}`);
    expect([status, body]).toEqual(refusal(400, "400 Bad request - Target project is not in the job token scope"));
    expect((await call("GET", "/allowlist")).body).toHaveLength(1);
  });

  test("unless an error prevents it; its existence is checked before the caller's role", async () => {
    const { source, call } = await openShop(world);
    const reporter = await world.user();
    member(source, reporter.id, accessLevels.reporter);
    const target = openProject();
    const hidden = project(group().id);
    for (const each of [target, hidden]) putProjectLink(world, source, each);
    const remove = async (id: unknown, token?: string) => {
      const { status, body } = await call("DELETE", `/allowlist/${id}`, undefined, token);
      return [status, body];
    };
    for (const token of [undefined, reporter.token]) {
      expect(await remove(999_999, token)).toEqual(refusal(404, "404 Project Not Found"));
      expect(await remove(hidden.id, token)).toEqual(refusal(404, "404 Project Not Found"));
      expect((await remove("12.34", token))[1].error).toBe("target_project_id is invalid");
    }
    expect(await remove(target.id, reporter.token)).toEqual(
      refusal(403, "403 Forbidden - Insufficient permissions to modify the job token scope"),
    );
    expect(await remove(source.id)).toEqual(
      refusal(400, "400 Bad request - Source project cannot be removed from the job token scope"),
    );
    expect((await call("GET", "/allowlist")).body).toHaveLength(3);
  });
});
