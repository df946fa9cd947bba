import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Act, type Caller, fresh, makeGroup, makeProject } from "./act.ts";

export const memberActs: Readonly<Record<string, Act>> = {
  ...membersOf("group"),
  ...membersOf("project"),
  "a membership that expired": async (call, world) => {
    const group = makeGroup(world);
    const user = await world.user({ username: fresh(), name: "Ines" });
    const expires_at = world.clock.day(1);
    await call("POST", `/groups/${group.id}/members`, { user_id: user.id, access_level: 30, expires_at });
    world.clock.advanceDays(2);
    await world.jobsDone();
    return {
      event: "member_destroyed",
      entity: ["Group", group.id, group.path],
      target: ["User", user.id, "Ines"],
      act: { remove: "user_access", member_id: -1, custom_message: "Membership destroyed" },
    };
  },
  "the state of memberships": async (call, world) => {
    const group = makeGroup(world);
    const user = await world.user({ username: fresh(), name: "Ines" });
    await call("POST", `/groups/${group.id}/members`, { user_id: user.id, access_level: 30 });
    const owner = await world.user({ username: fresh() });
    placesOf(world).member(group, owner.id, accessLevels.owner);
    await call("PUT", `/groups/${group.id}/members/${user.id}/state`, { state: "awaiting" });
    return {
      event: "change_membership_state",
      entity: ["Group", group.id, group.path],
      target: ["User", user.id, "Ines"],
      act: { custom_message: "Changed the state of the memberships to awaiting" },
    };
  },
  ...sharesOf("group"),
  ...sharesOf("project"),
};

/** Membership of a group or a project: the same acts in both. */
function memberAct(
  kind: "group" | "project",
  event: string,
  perform: (call: Caller, path: string, userId: number) => Promise<unknown>,
  act: object,
): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const project = makeProject(world, group.id);
    const user = await world.user({ username: fresh(), name: "Ines" });
    const path = kind === "group" ? `/groups/${group.id}` : `/projects/${project.id}`;
    if (event !== "member_created") await call("POST", `${path}/members`, { user_id: user.id, access_level: 30 });
    await perform(call, path, user.id);
    const entity =
      kind === "group"
        ? (["Group", group.id, group.path] as const)
        : (["Project", project.id, `${group.path}/${project.path}`] as const);
    return { event, entity, target: ["User", user.id, "Ines"], act };
  };
}

function membersOf(kind: "group" | "project"): Record<string, Act> {
  const created = { add: "user_access", as: "Developer", member_id: -1, custom_message: "Membership created" };
  const destroyed = { remove: "user_access", member_id: -1, custom_message: "Membership destroyed" };
  return {
    [`a member added to a ${kind}`]: memberAct(
      kind,
      "member_created",
      (call, path, user_id) => call("POST", `${path}/members`, { user_id, access_level: 30 }),
      created,
    ),
    [`a request to join a ${kind} approved`]: async (call, world) => {
      const group = placesOf(world).group({ path: fresh(), visibility: "public" });
      const project = placesOf(world).project(group.id, { path: fresh(), visibility: "public" });
      const user = await world.user({ username: fresh(), name: "Ines" });
      const path = kind === "group" ? `/groups/${group.id}` : `/projects/${project.id}`;
      await call("POST", `${path}/access_requests`, undefined, { token: user.token });
      await call("PUT", `${path}/access_requests/${user.id}/approve`);
      const entity =
        kind === "group"
          ? (["Group", group.id, group.path] as const)
          : (["Project", project.id, `${group.path}/${project.path}`] as const);
      return { event: "member_created", entity, target: ["User", user.id, "Ines"], act: created };
    },
    [`a level in a ${kind} changed`]: memberAct(
      kind,
      "member_updated",
      (call, path, id) => call("PUT", `${path}/members/${id}`, { access_level: 40, expires_at: "2031-01-31" }),
      {
        change: "access_level",
        from: "Developer",
        to: "Maintainer",
        as: "Maintainer",
        expiry_from: null,
        expiry_to: "2031-01-31",
        member_id: -1,
        custom_message: "Membership updated",
      },
    ),
    [`a member removed from a ${kind}`]: memberAct(
      kind,
      "member_destroyed",
      (call, path, id) => call("DELETE", `${path}/members/${id}`),
      destroyed,
    ),
  };
}

function sharesOf(kind: "group" | "project"): Record<string, Act> {
  const share = (event: string, isEnded: boolean): Act => {
    return async (call, world) => {
      const group = makeGroup(world);
      const project = makeProject(world, group.id);
      const invited = makeGroup(world);
      const path = kind === "group" ? `/groups/${group.id}` : `/projects/${project.id}`;
      await call("POST", `${path}/share`, { group_id: invited.id, group_access: 30 });
      if (isEnded) await call("DELETE", `${path}/share/${invited.id}`);
      const entity =
        kind === "group"
          ? (["Group", group.id, group.path] as const)
          : (["Project", project.id, `${group.path}/${project.path}`] as const);
      const text = isEnded ? `No longer shared with ${invited.path}` : `Shared with ${invited.path} as Developer`;
      return { event, entity, target: ["Group", invited.id, invited.path], act: { custom_message: text } };
    };
  };
  const [made, ended] =
    kind === "group"
      ? ["group_share_with_group_link_created", "group_share_with_group_link_removed"]
      : ["project_group_link_created", "project_group_link_deleted"];
  return { [`a ${kind} shared`]: share(made, false), [`the share of a ${kind} ended`]: share(ended, true) };
}
