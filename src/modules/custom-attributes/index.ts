export { type CustomAttribute, type CustomAttributeResource, customAttributes } from "./collection.ts";
export { customAttributeOperations } from "./operations.ts";
export { presentCustomAttributes } from "./present.ts";
export { customAttributeFilters, customAttributesField, withCustomAttributes } from "./schema.ts";
export {
  type AttributedThing,
  customAttributeConditions,
  customAttributesOf,
  removeCustomAttributes,
  setCustomAttribute,
} from "./service.ts";
