import { type Static, Type } from "@sinclair/typebox";
import { projectId, text } from "../../../domain/parameters.ts";
import { newRows, RefAccessLevel, ruleLevel } from "../protected-branches/index.ts";

/** protected-refs 3. Clients know a rule by its name. */
export const ProtectedTag = Type.Object(
  {
    name: Type.String({ description: "name, or pattern in which * stands for any text" }),
    create_access_levels: Type.Array(RefAccessLevel),
  },
  { $id: "ProtectedTag" },
);

const ruleName = () => text({ description: "name, or pattern in which * stands for any text" });

export const ListProtectedTags = Type.Object({ id: projectId() });
export const ProtectedTagInPath = Type.Object({ id: projectId(), name: ruleName() });
export const CreateProtectedTag = Type.Object({
  id: projectId(),
  name: ruleName(),
  create_access_level: ruleLevel("40 by default"),
  allowed_to_create: newRows("who may make such tags"),
});
export type NewProtectedTag = Omit<Static<typeof CreateProtectedTag>, "id">;
