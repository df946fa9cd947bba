import { deletedWithProject, groupRemoval } from "../../core/namespaces/index.ts";
import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { protectedBranches, refAccessLevels } from "./records.ts";

export { type BranchRights, branchRightsIn, rowTest } from "./branch-rights.ts";
export {
  type BranchChange,
  branchNameRefusal,
  branchRefusal,
  branchRulesInForce,
  canPushOrMerge,
  isProtectedBranch,
  protectedBranchTest,
} from "./policy.ts";
export { presentRows } from "./present.ts";
export { refusedRule, requireNoDeployKey, requireRows, requireSubjects, rowsOfNew } from "./rows.ts";
export { newRows, RefAccessLevel, RuleInPath, ruleLevel } from "./schema.ts";
export { deleteProtectedBranch, findProtectedBranch, protectBranch, requireRuleName } from "./service.ts";
export { branchProtectionOf, insertDefaultRule, willProtectBranch } from "./service-default-protection.ts";
export { Wildcard } from "./wildcard.ts";

export const protectedBranchesModule = defineModule({
  name: "protected-branches",
  tag: "Protected branches",
  about: { "Protected branches": "Rules that say who may push to which branches." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).protectedBranchOperations,
  samples: async () => (await import("./samples.ts")).protectedBranchSamples,
  collections: [protectedBranches, refAccessLevels],
  on: [
    deletedWithProject(refAccessLevels, 4),
    deletedWithProject(protectedBranches),
    deletedWithUser(refAccessLevels),
    groupRemoval({
      phase: 5,
      remove: (tx, { store }, { id }, limit) =>
        removeFirst(tx, refAccessLevels, store.of(refAccessLevels).by.group_id.find(id), limit),
    }),
  ],
});
