import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  hash,
  integer,
  list,
  oneOf,
  optional,
  projectId,
  searchText,
  text,
} from "../../../domain/parameters.ts";
import { ruleLevels } from "./records.ts";

/** Rows of one kind that a rule may have. */
export const rowsMax = 100;

/** A row of a rule (protected-refs 2). */
export const RefAccessLevel = Type.Object(
  {
    id: Type.Integer(),
    access_level: Type.Unsafe<(typeof ruleLevels)[number] | null>(
      Type.Union([...ruleLevels.map((level) => Type.Literal(level)), Type.Null()]),
    ),
    access_level_description: Type.String({ description: "No one, the roles, or the name of the user or group" }),
    deploy_key_id: Type.Null({ description: "no deploy keys yet" }),
    user_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: "premium" })),
    group_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: "premium" })),
  },
  { $id: "RefAccessLevel" },
);

export const ProtectedBranch = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: "name, or pattern in which * stands for any text" }),
    push_access_levels: Type.Array(RefAccessLevel),
    merge_access_levels: Type.Array(RefAccessLevel),
    unprotect_access_levels: Type.Optional(
      Type.Array(RefAccessLevel, { description: "premium; empty: maintainers may unprotect" }),
    ),
    allow_force_push: Type.Boolean(),
    code_owner_approval_required: Type.Boolean(),
    inherited: Type.Optional(Type.Boolean({ description: "premium; false: groups have no rules" })),
  },
  { $id: "ProtectedBranch" },
);

/** Whom a row lets in; one of these is needed. */
const rowFields = {
  user_id: optional(integer({ description: "a user with access to the project" })),
  group_id: optional(integer({ description: "a group that the project is in, or that was invited to it" })),
  access_level: optional(oneOf(ruleLevels)),
  deploy_key_id: optional(integer({ description: "refused: there are no deploy keys" })),
};
const rowChange = {
  ...rowFields,
  id: optional(integer()),
  _destroy: optional(boolean({ description: "removes the row" })),
};

const newRow = hash(rowFields);
const changedRow = hash(rowChange);
export type NewRow = Static<typeof newRow>;
export type RowChange = Static<typeof changedRow>;

/** A new rule takes these rows of users, groups and levels. */
export const newRows = (description: string) =>
  optional(list(newRow, { tier: "premium", maxItems: rowsMax, description: `premium; ${description}` }));
const changedRows = (description: string) =>
  optional(list(changedRow, { tier: "premium", maxItems: rowsMax, description: `premium; ${description}` }));

export const ruleLevel = (description: string) => optional(oneOf(ruleLevels, { description }));

const ruleName = () => text({ description: "name, or pattern in which * stands for any text" });

export const ListRules = Type.Object({ id: projectId(), search: optional(searchText("part of the name, any case")) });
export const RuleInPath = Type.Object({ id: projectId(), name: ruleName() });

export const CreateProtectedBranch = Type.Object({
  id: projectId(),
  name: ruleName(),
  push_access_level: ruleLevel("40 by default"),
  merge_access_level: ruleLevel("40 by default"),
  unprotect_access_level: optional(
    oneOf([30, 40, 60], { tier: "premium", description: "premium; maintainers by default" }),
  ),
  allow_force_push: optional(boolean({ description: "those who may push may also force; false by default" })),
  code_owner_approval_required: optional(boolean({ tier: "premium", description: "premium; kept, without effect" })),
  allowed_to_push: newRows("who may push"),
  allowed_to_merge: newRows("who may merge"),
  allowed_to_unprotect: newRows("who may unprotect"),
});

export const UpdateProtectedBranch = Type.Object({
  id: projectId(),
  name: ruleName(),
  allow_force_push: optional(boolean({ allowBlank: false })),
  code_owner_approval_required: optional(boolean({ tier: "premium", description: "premium; kept, without effect" })),
  allowed_to_push: changedRows("rows to add, change or remove"),
  allowed_to_merge: changedRows("rows to add, change or remove"),
  allowed_to_unprotect: changedRows("rows to add, change or remove"),
});

export type NewProtectedBranch = Omit<Static<typeof CreateProtectedBranch>, "id">;
export type ProtectedBranchChange = Omit<Static<typeof UpdateProtectedBranch>, "id" | "name">;
