import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { putGroupLink } from "../../../support/ci/job-token-links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";
import { openShop, refusal } from "./setting.ts";

const world = await startWorld();
const { group, member } = placesOf(world);

describe("the list of groups", () => {
  test("has the added groups, in their order, with three fields", async () => {
    const { source, call, mia } = await openShop(world);
    expect((await call("GET", "/groups_allowlist")).body).toEqual([]);
    const top = group({ path: "shops", name: "Shops" });
    const sub = group({ path: "north", name: "North", parent_id: top.id });
    member(top, mia.id, accessLevels.guest);
    for (const { id } of [sub, top]) {
      const { status, body } = await call("POST", "/groups_allowlist", { target_group_id: id });
      expect([status, body]).toEqual([201, { source_project_id: source.id, target_group_id: id }]);
    }
    const { body, headers } = await call("GET", "/groups_allowlist");
    expect(body).toEqual([
      { id: sub.id, web_url: `${world.origin}/groups/shops/north`, name: "North" },
      { id: top.id, web_url: `${world.origin}/groups/shops`, name: "Shops" },
    ]);
    expect(headers.get("x-total")).toBe("2");
  });
});

describe("a group is added", () => {
  test("unless an error prevents it", async () => {
    const { call, mia } = await openShop(world);
    const add = async (target_group_id: unknown) => {
      const { status, body } = await call("POST", "/groups_allowlist", { target_group_id });
      return [status, body];
    };
    const open = group({ visibility: "public" }).id;
    const personal = mia.record.namespace_id;
    for (const id of [999_999, ...(personal === undefined ? [] : [personal])]) {
      expect(await add(id)).toEqual(refusal(404, "404 target_group_id not found Not Found"));
    }
    expect(await add(group().id)).toEqual(
      refusal(
        400,
        "400 Bad request - The target_group that you are attempting to access does not exist or you don't have permission to perform this action",
      ),
    );
    expect((await add(String(open)))[0]).toBe(201);
    expect(await add(open)).toEqual(refusal(400, "400 Bad request - Target group is already in the job token scope"));
    expect((await add(null))[1].error).toBe("target_group_id is empty");
    expect((await add("abc"))[1].error).toBe("target_group_id is invalid");
  });

  test("as long as there are fewer than 200", async () => {
    const { source, call } = await openShop(world);
    for (let count = 0; count < 200; count += 1) putGroupLink(world, source, group());
    const { status, body } = await call("POST", "/groups_allowlist", {
      target_group_id: group({ visibility: "public" }).id,
    });
    expect([status, body]).toEqual(
      refusal(
        400,
        "400 Bad request - Validation failed: Source project exceeds the allowable number of group links in this direction",
      ),
    );
  });
});

describe("a group is removed", () => {
  test("by a maintainer who cannot read it too, once", async () => {
    const { source, call } = await openShop(world);
    const hidden = group();
    putGroupLink(world, source, hidden);
    expect((await call("DELETE", `/groups_allowlist/${hidden.id}`)).status).toBe(204);
    const { status, body } = await call("DELETE", `/groups_allowlist/${hidden.id}`);
    expect([status, body]).toEqual(refusal(400, "400 Bad request - Target group is not in the job token scope"));
  });

  test("after a check of its existence, before the caller's role", async () => {
    const { source, call } = await openShop(world);
    const developer = await world.user();
    member(source, developer.id, accessLevels.developer);
    const target = group({ visibility: "public" });
    putGroupLink(world, source, target);
    const remove = async (id: number) => {
      const { status, body } = await call("DELETE", `/groups_allowlist/${id}`, undefined, developer.token);
      return [status, body];
    };
    expect(await remove(999_999)).toEqual(refusal(404, "404 target_group_id not found Not Found"));
    expect(await remove(target.id)).toEqual(
      refusal(403, "403 Forbidden - Insufficient permissions to modify the job token scope"),
    );
  });
});
