import { type Act, change, instance } from "./act.ts";
import { ciVariableActs } from "./ci-variables.ts";
import { containerRegistryActs } from "./container-registry.ts";
import { groupActs } from "./groups.ts";
import { jobTokenScopeActs } from "./job-token-scope.ts";
import { memberActs } from "./members.ts";
import { projectActs } from "./projects.ts";
import { protectedBranchActs } from "./protected-branches.ts";
import { releaseActs } from "./releases.ts";
import { runnerActs } from "./runners.ts";
import { userActs } from "./users.ts";

export { type Act, callerOf } from "./act.ts";

/** By description: how to perform an act, and the audit event that it writes. */
export const acts: Readonly<Record<string, Act>> = {
  ...groupActs,
  ...projectActs,
  ...memberActs,
  ...jobTokenScopeActs,
  ...userActs,
  ...runnerActs,
  ...containerRegistryActs,
  ...protectedBranchActs,
  ...ciVariableActs,
  ...releaseActs,
  "PUT /application/settings": async (call) => {
    const { body } = await call("GET", "/application/settings");
    const [from, to] = [body.users_get_by_id_limit, body.users_get_by_id_limit + 1];
    await call("PUT", "/application/settings", { users_get_by_id_limit: to });
    return {
      event: "application_setting_updated",
      entity: instance,
      target: ["ApplicationSetting", 1, "users_get_by_id_limit"],
      act: change("users_get_by_id_limit", String(from), String(to)),
    };
  },
};
