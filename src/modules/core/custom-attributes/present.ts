import type { Store } from "../../../store/index.ts";
import type { CustomAttribute, CustomAttributeResource } from "./records.ts";
import { customAttributesOf } from "./service.ts";

/** users-and-auth 15. */
export function presentCustomAttribute({ key, value }: CustomAttribute) {
  return { key, value };
}

/** What `with_custom_attributes` adds to a thing. */
export function presentCustomAttributes(store: Store, resource: CustomAttributeResource, id: number) {
  return { custom_attributes: customAttributesOf(store, resource, id).map(presentCustomAttribute) };
}
