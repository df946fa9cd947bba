import { Type } from "@sinclair/typebox";
import { boolean, optional, textMap } from "../../../domain/parameters.ts";

/** users-and-auth 15. */
export const CustomAttribute = Type.Object(
  { key: Type.String(), value: Type.String() },
  { $id: "CustomAttribute", description: "Shown to administrators" },
);

/** Filters of lists of entities with custom attributes, for administrators; ignored for others. */
export const customAttributeFilters = {
  custom_attributes: optional(textMap({ description: "administrators: those with all of these values" })),
};

/** The parameter of lists and single reads that shows the attributes, for administrators; ignored for others. */
export const withCustomAttributes = {
  with_custom_attributes: optional(boolean({ description: "administrators: shows the custom attributes" })),
};

/** The field that such reads add. */
export const customAttributesField = { custom_attributes: Type.Optional(Type.Array(CustomAttribute)) };
