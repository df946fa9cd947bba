import { defineModule } from "../../kernel/module.ts";
import { customAttributes } from "./records.ts";

export { customAttributeOperations } from "./operations.ts";
export { presentCustomAttributes } from "./present.ts";
export { customAttributeFilters, customAttributesField, withCustomAttributes } from "./schema.ts";
export {
  customAttributeConditions,
  customAttributesOf,
  removeCustomAttributes,
  upsertCustomAttribute,
} from "./service.ts";

export const customAttributesModule = defineModule({
  name: "custom-attributes",
  collections: Object.values(customAttributes),
});
