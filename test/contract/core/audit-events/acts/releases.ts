import { expect } from "bun:test";
import { type Act, fresh, makeGroup } from "./act.ts";

export const releaseActs: Readonly<Record<string, Act>> = {
  "a release that is made": act("release_created", "Created Release v1 with Milestone Spring"),
  "a release that changes": act("release_updated", "Updated Release v1", ["PUT", { description: "More" }]),
  "a release whose milestones change": act(
    "release_milestones_updated",
    "Milestones associated with release changed to [none]",
    ["PUT", { milestones: [] }],
  ),
  "a release that is deleted": act("release_deleted_audit_event", "Deleted Release v1", ["DELETE"]),
};

function act(event: string, custom_message: string, then?: readonly [method: string, json?: object]): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const json = { path: fresh(), namespace_id: group.id, initialize_with_readme: true };
    const { id, path } = (await call("POST", "/projects", json)).body;
    await call("POST", `/projects/${id}/milestones`, { title: "Spring" });
    const release = { tag_name: "v1", name: "One", ref: "main", milestones: ["Spring"] };
    await call("POST", `/projects/${id}/releases`, release);
    if (then !== undefined) await call(then[0], `/projects/${id}/releases/v1`, then[1]);
    return {
      event,
      entity: ["Project", id, `${group.path}/${path}`],
      target: ["Release", expect.any(Number), "One"],
      act: { custom_message },
    };
  };
}
