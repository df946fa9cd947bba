import { type Act, change, fresh, makeGroup } from "./act.ts";

export const groupActs: Readonly<Record<string, Act>> = {
  "POST /groups": async (call) => {
    const path = fresh();
    const { body } = await call("POST", "/groups", { name: path, path });
    const about = [body.id, path] as const;
    return {
      event: "group_created",
      entity: ["Group", ...about],
      target: ["Group", ...about],
      act: { add: "group", custom_message: "Added group" },
    };
  },
  "POST /groups, for its creator": async (call) => {
    const path = fresh();
    const { body } = await call("POST", "/groups", { name: path, path });
    return {
      event: "member_created",
      entity: ["Group", body.id, path],
      target: ["User", 1, "Administrator"],
      act: { add: "user_access", as: "Owner", member_id: -1, custom_message: "Membership created" },
    };
  },
  "a group's name": groupChange("name", "Bank", "PATH"),
  "a group's path": groupChange("path", "bank-of-old", "PATH"),
  "a group's visibility": groupChange("visibility", "public", "Private", "Public"),
  "a group's description": groupChange("description", "Money", ""),
  "a group's request_access_enabled": groupChange("request_access_enabled", false, "true"),
  "a group's project_creation_level": groupChange("project_creation_level", "maintainer", "developer"),
  "a group's require_two_factor_authentication": groupChange("require_two_factor_authentication", true, "false"),
  "a group's two_factor_grace_period": groupChange("two_factor_grace_period", 24, "48"),
  "a group's lfs_enabled": groupChange("lfs_enabled", false, "true"),
  "a group's membership_lock": groupChange("membership_lock", true, "false"),
  "a group's shared_runners_minutes_limit": groupChange("shared_runners_minutes_limit", 100, ""),
  "DELETE /groups": async (call, world) => {
    const { id, path } = makeGroup(world);
    await call("DELETE", `/groups/${id}`);
    return {
      event: "group_destroyed",
      entity: ["Group", id, path],
      target: ["Group", id, path],
      act: { custom_message: "Group destroyed" },
    };
  },
};

/** A change of a group, from and to as texts. */
function groupChange(attribute: string, value: unknown, from: string, to = String(value)): Act {
  return async (call, world) => {
    const { id, path } = makeGroup(world);
    await call("PUT", `/groups/${id}`, { [attribute]: value });
    const event = attribute === "visibility" ? "group_visibility_level_updated" : `group_${attribute}_updated`;
    const act = change(attribute, from === "PATH" ? path : from, to);
    return { event, entity: ["Group", id, path], target: ["Group", id, path], act };
  };
}
