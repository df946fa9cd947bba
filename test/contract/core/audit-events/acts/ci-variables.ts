import { expect } from "bun:test";
import { type Act, change, fresh, instance, makeGroup, makeProject } from "./act.ts";

type Kind = "ci_variable" | "ci_group_variable" | "ci_instance_variable";

const types = {
  ci_variable: "Ci::Variable",
  ci_group_variable: "Ci::GroupVariable",
  ci_instance_variable: "Ci::InstanceVariable",
} as const;

export const ciVariableActs: Readonly<Record<string, Act>> = Object.fromEntries(
  (Object.keys(types) as Kind[]).flatMap((kind) => [
    [`a ${kind} that is created`, act(kind, "created", { add: kind })],
    [`a ${kind} that changes`, act(kind, "updated", change("protected", "false", "true"))],
    [`a ${kind} that is deleted`, act(kind, "deleted", { remove: kind })],
  ]),
);

function act(kind: Kind, what: "created" | "updated" | "deleted", expected: object): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const project = makeProject(world, group.id);
    const [path, entity] = {
      ci_variable: [
        `/projects/${project.id}/variables`,
        ["Project", project.id, `${group.path}/${project.path}`],
      ] as const,
      ci_group_variable: [`/groups/${group.id}/variables`, ["Group", group.id, group.path]] as const,
      ci_instance_variable: ["/admin/ci/variables", instance] as const,
    }[kind];
    const key = fresh();
    await call("POST", path, { key, value: "x" });
    if (what === "updated") await call("PUT", `${path}/${key}`, { protected: true });
    if (what === "deleted") await call("DELETE", `${path}/${key}`);
    return {
      event: `${kind}_${what}`,
      entity,
      target: [types[kind], expect.any(Number), key],
      act: expected,
    };
  };
}
