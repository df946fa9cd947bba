import { type Static, Type } from "@sinclair/typebox";
import { projectId } from "../../../domain/parameters.ts";
import { newRows, RefAccessLevel, RuleInPath, ruleLevel } from "../protected-branches/index.ts";

/** protected-refs 3. Clients know a rule by its name. */
export const ProtectedTag = Type.Object(
  {
    name: Type.String({ description: "name, or pattern in which * stands for any text" }),
    create_access_levels: Type.Array(RefAccessLevel),
  },
  { $id: "ProtectedTag" },
);

export const ListProtectedTags = Type.Object({ id: projectId() });
export const CreateProtectedTag = Type.Object({
  ...RuleInPath.properties,
  create_access_level: ruleLevel("40 by default"),
  allowed_to_create: newRows("who may make such tags"),
});
export type NewProtectedTag = Omit<Static<typeof CreateProtectedTag>, "id">;
