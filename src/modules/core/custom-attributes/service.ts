import { Failure, invalid, requireUnmodified } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { IdSet, Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CustomAttribute, type CustomAttributeResource, customAttributes, pairKey } from "./records.ts";

/** The entity of an attribute. It must exist; these functions do not check that. */
export interface AttributedThing {
  readonly resource: CustomAttributeResource;
  readonly id: number;
}

/** Returns the attributes in the order in which they were added. */
export function customAttributesOf(
  store: Store,
  resource: CustomAttributeResource,
  id: number,
): readonly CustomAttribute[] {
  return store.of(customAttributes[resource]).get(id)?.attributes ?? [];
}

/** Throws 404. */
export function getCustomAttribute(store: Store, { resource, id }: AttributedThing, key: string): CustomAttribute {
  const found = customAttributesOf(store, resource, id).find((attribute) => attribute.key === key);
  if (found === undefined) throw new Failure("not_found", { message: "404 Not found" });
  return found;
}

/** Makes an attribute, or gives it another value. */
export function upsertCustomAttribute(
  tx: Transaction,
  { store, clock }: Pick<Context, "store" | "clock">,
  { resource, id }: AttributedThing,
  key: string,
  value: string,
): CustomAttribute {
  const attribute = { key, value, updated_at: toDateTime(clock.now()) };
  const before = customAttributesOf(store, resource, id);
  const isNew = before.every((each) => each.key !== key);
  const attributes = isNew ? [...before, attribute] : before.map((each) => (each.key === key ? attribute : each));
  if (before.length === 0) tx.insert(customAttributes[resource], { id, attributes });
  else tx.update(customAttributes[resource], { id, attributes });
  return attribute;
}

/** `PUT …/custom_attributes/:key`. Throws 400 for a blank value. */
export function updateCustomAttribute(
  context: Context,
  thing: AttributedThing,
  key: string,
  value: string,
): CustomAttribute {
  if (value.trim() === "") throw invalid({ value: ["can't be blank"] });
  return context.store.transact((tx) => upsertCustomAttribute(tx, context, thing, key, value));
}

/** `DELETE …/custom_attributes/:key`. Throws 404, and 412 for one that was changed. */
export function deleteCustomAttribute(
  { store }: Context,
  thing: AttributedThing,
  key: string,
  unmodifiedSince: string | undefined,
): void {
  requireUnmodified(getCustomAttribute(store, thing, key), unmodifiedSince);
  const { resource, id } = thing;
  const attributes = customAttributesOf(store, resource, id).filter((each) => each.key !== key);
  store.transact((tx) => {
    if (attributes.length === 0) tx.remove(customAttributes[resource], id);
    else tx.update(customAttributes[resource], { id, attributes });
  });
}

/** Removes all attributes in the transaction that deletes their thing. */
export function removeCustomAttributes(tx: Transaction, store: Store, { resource, id }: AttributedThing): void {
  if (customAttributesOf(store, resource, id).length > 0) tx.remove(customAttributes[resource], id);
}

/** Conditions of a list of things of this kind: each must have all the given pairs. */
export function customAttributeConditions(
  store: Store,
  resource: CustomAttributeResource,
  wanted: Readonly<Record<string, string>> | undefined,
): { readonly ids: IdSet }[] {
  const { pair } = store.of(customAttributes[resource]).by;
  return Object.entries(wanted ?? {}).map(([key, value]) => ({ ids: pair.find(pairKey(key, value)) }));
}
