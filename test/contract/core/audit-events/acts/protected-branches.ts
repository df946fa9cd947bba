import { type Act, makeGroup, makeProject } from "./act.ts";

export const protectedBranchActs: Readonly<Record<string, Act>> = {
  "a branch that is protected": rule("created", { add: "protected_branch", custom_message: "Added protected branch" }),
  "a protected branch whose rule changes": rule("updated", {
    change: "protected_branch",
    custom_message: "Changed protected branch",
  }),
  "a branch that is protected no more": rule("removed", {
    remove: "protected_branch",
    custom_message: "Unprotected branch",
  }),
};

function rule(what: "created" | "updated" | "removed", act: object): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    const rules = `/projects/${id}/protected_branches`;
    const { body } = await call("POST", rules, { name: "release/*" });
    const one = `${rules}/${encodeURIComponent("release/*")}`;
    if (what === "updated") await call("PATCH", one, { allow_force_push: true });
    if (what === "removed") await call("DELETE", one);
    return {
      event: `protected_branch_${what}`,
      entity: ["Project", id, `${group.path}/${path}`],
      target: ["ProtectedBranch", body.id, "release/*"],
      act,
    };
  };
}
