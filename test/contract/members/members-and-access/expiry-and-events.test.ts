import { describe, expect, test } from "bun:test";
import { groupLinks } from "../../../../src/modules/groups-and-projects/shares/records.ts";
import { memberships } from "../../../../src/modules/members/members/records.ts";
import { groupRef, projectRef, putGroup, putLink, putMember, putProject } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
await world.jobsDone();

describe("an expired membership", () => {
  test("gives no access from its day on, and is removed at midnight, with an event", async () => {
    const group = putGroup(world);
    const project = putProject(world, group.id);
    const invited = putGroup(world);
    const [owner, user, guest] = [await world.user(), await world.user(), await world.user()];
    const tomorrow = { expires_at: world.clock.day(1) };
    putMember(world, groupRef(group), owner.id, 50);
    const row = putMember(world, projectRef(project), user.id, 30, tomorrow);
    putMember(world, groupRef(invited), guest.id, 30);
    const link = putLink(world, projectRef(project), invited.id, 30, tomorrow);
    const linkToGroup = putLink(world, groupRef(group), invited.id, 10, tomorrow);
    const statuses = async () =>
      Promise.all(
        [user, guest].map(
          async ({ token }) => (await world.call("GET", `/projects/${project.id}/members`, { token })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    const before = world.events().length;
    world.clock.advanceDays(1);
    expect(await statuses()).toEqual([404, 404]);
    await world.jobsDone();
    expect(world.store.of(memberships).get(row.id)).toBeUndefined();
    expect(world.store.of(groupLinks).get(link.id)).toBeUndefined();
    expect(world.store.of(groupLinks).get(linkToGroup.id)).toBeUndefined();
    const events = world.events(before).map(({ event_name, entity_type, entity_id, author_id }) => ({
      event_name,
      entity: `${entity_type} ${entity_id}`,
      author_id,
    }));
    expect(events.toSorted((a, b) => a.event_name.localeCompare(b.event_name))).toEqual([
      { event_name: "group_share_with_group_link_removed", entity: `Group ${group.id}`, author_id: -1 },
      { event_name: "member_destroyed", entity: `Project ${project.id}`, author_id: -1 },
      { event_name: "project_group_link_deleted", entity: `Project ${project.id}`, author_id: -1 },
    ]);
  });

  test("of a last owner stays, without access", async () => {
    const group = putGroup(world);
    const [owner, helper] = [await world.user(), await world.user()];
    const tomorrow = { expires_at: world.clock.day(1) };
    const last = putMember(world, groupRef(group), owner.id, 50, tomorrow);
    const other = putMember(world, groupRef(group), helper.id, 40, tomorrow);
    world.clock.advanceDays(1);
    await world.jobsDone();
    expect(world.store.of(memberships).get(last.id)).toBeDefined();
    expect(world.store.of(memberships).get(other.id)).toBeUndefined();
    expect((await world.call("GET", `/groups/${group.id}`, { token: owner.token })).status).toBe(404);
    expect((await world.get(`/groups/${group.id}/members`)).body).toEqual([]);
  });
});

describe("events of members", () => {
  const details = async (act: () => Promise<unknown>) => {
    const before = world.events().length;
    await act();
    return world
      .events(before)
      .map(({ event_name, entity_type, details: told }) => ({ event_name, entity_type, told }));
  };

  test("describe adding, changing and removing in texts", async () => {
    const group = putGroup(world, { path: "bank" });
    const project = putProject(world, group.id, { path: "ledger" });
    const user = await world.user({ name: "Ines" });
    const path = `/projects/${project.id}/members`;
    const day = world.clock.day(4);
    const token = rootToken;
    const [added] = await details(() =>
      world.call("POST", path, { token, json: { user_id: user.id, access_level: 30 } }),
    );
    const id = expect.any(Number);
    const target = { target_id: user.id, target_type: "User", target_details: "Ines", entity_path: "bank/ledger" };
    expect(added).toMatchObject({
      event_name: "member_created",
      entity_type: "Project",
      told: { add: "user_access", as: "Developer", member_id: id, custom_message: "Membership created", ...target },
    });
    const [changed] = await details(() =>
      world.call("PUT", `${path}/${user.id}`, { token, json: { access_level: 40, expires_at: day } }),
    );
    expect(changed).toMatchObject({
      event_name: "member_updated",
      told: {
        change: "access_level",
        from: "Developer",
        to: "Maintainer",
        expiry_from: null,
        expiry_to: day,
        ...target,
      },
    });
    expect(await details(() => world.call("PUT", `${path}/${user.id}`, { token, json: { access_level: 40 } }))).toEqual(
      [],
    );
    const [removed] = await details(() => world.call("DELETE", `${path}/${user.id}`, { token }));
    expect(removed).toMatchObject({
      event_name: "member_destroyed",
      told: { remove: "user_access", member_id: id, custom_message: "Membership destroyed", ...target },
    });
  });

  test("are not written for failures", async () => {
    const group = putGroup(world);
    const [owner, user] = [await world.user(), await world.user()];
    putMember(world, groupRef(group), owner.id, 50);
    const path = `/groups/${group.id}/members`;
    const nothing = await details(async () => {
      await world.call("POST", path, { token: rootToken, json: { user_id: user.id, access_level: 77 } });
      await world.call("POST", path, { token: rootToken, json: { user_id: owner.id, access_level: 30 } });
      await world.call("PUT", `${path}/${owner.id}`, { token: rootToken, json: { access_level: 30 } });
      await world.call("DELETE", `${path}/${owner.id}`, { token: rootToken });
    });
    expect(nothing).toEqual([]);
  });
});
