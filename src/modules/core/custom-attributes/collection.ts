import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi } from "../../../store/index.ts";

/** What custom attributes can be about. */
export type CustomAttributeResource = "User" | "Group" | "Project";

export interface CustomAttribute {
  readonly key: string;
  readonly value: string;
  readonly updated_at: DateTime;
}

/** All custom attributes of one thing, in the order in which they came; of the thing's own id. */
export interface CustomAttributesRecord {
  readonly id: number;
  readonly attributes: readonly CustomAttribute[];
}

const declare = (name: string) =>
  collection<CustomAttributesRecord>()(name, {
    pair: multi((record) => record.attributes.map(({ key, value }) => pairKey(key, value))),
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
