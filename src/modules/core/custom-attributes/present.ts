import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import type { CustomAttribute } from "./records.ts";
import type { CustomAttribute as CustomAttributeEntity } from "./schema.ts";
import { type AttributedThing, customAttributesOf } from "./service.ts";

/** users-and-auth 15. */
export function presentCustomAttribute({ key, value }: CustomAttribute): Static<typeof CustomAttributeEntity> {
  return { key, value };
}

/** The field that `with_custom_attributes` adds to an entity. */
export function presentCustomAttributes(
  { resource, id }: AttributedThing,
  { context: { store } }: Pick<View, "context">,
) {
  return { custom_attributes: customAttributesOf(store, resource, id).map(presentCustomAttribute) };
}
