import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** The kinds of entities with custom attributes. */
export type CustomAttributeResource = "User" | "Group" | "Project";

export const CustomAttribute = field.object({
  key: field.text,
  value: field.text,
  updated_at: field.moment,
});
export type CustomAttribute = RecordOf<typeof CustomAttribute>;

/** All custom attributes of one thing, in the order in which they came; of the thing's own id. */
export const CustomAttributesRecord = record({
  id: field.whole,
  attributes: field.listOf(CustomAttribute),
});
export type CustomAttributesRecord = RecordOf<typeof CustomAttributesRecord>;

const declare = (name: string) =>
  collection(name, CustomAttributesRecord, {
    indexes: {
      pair: multi((record) => record.attributes.map(({ key, value }) => pairKey(key, value))),
    },
    secrets: { attributes: "public" },
    sequence: undefined,
  });

/**
 * One collection for each kind, so that a filter finds ids of the things themselves, without a look at a document
 * (users-and-auth 15).
 */
export const customAttributes = {
  User: declare("user-custom-attributes"),
  Group: declare("group-custom-attributes"),
  Project: declare("project-custom-attributes"),
} as const satisfies Readonly<Record<CustomAttributeResource, unknown>>;

/** The length of the key keeps apart what would be the same text. */
export function pairKey(key: string, value: string): string {
  return `${key.length} ${key} ${value}`;
}
