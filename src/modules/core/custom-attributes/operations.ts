import { Type } from "@sinclair/typebox";
import { idInPath, text } from "../../../domain/parameters.ts";
import type { Scope } from "../../../domain/scopes.ts";
import type { Context } from "../../kernel/context.ts";
import { noContent, type Operation, ok, operation } from "../../kernel/operation.ts";
import { presentCustomAttribute } from "./present.ts";
import type { CustomAttributeResource } from "./records.ts";
import { CustomAttribute } from "./schema.ts";
import { customAttributesOf, deleteCustomAttribute, getCustomAttribute, updateCustomAttribute } from "./service.ts";

export interface AttributedResource {
  readonly resource: CustomAttributeResource;
  /** `/users`. */
  readonly path: string;
  /** A name for texts: `a user`. */
  readonly noun: string;
  /** Scopes that let read beside those that always do. */
  readonly readScopes?: readonly Scope[];
  /** Throws the 404 of a thing that is not there. */
  get(context: Context, id: number): unknown;
}

/** The four operations on the custom attributes of one kind of thing (users-and-auth 15). */
export function customAttributeOperations({
  resource,
  path,
  noun,
  readScopes = [],
  get,
}: AttributedResource): Operation[] {
  const InPath = Type.Object({ id: idInPath("id of the owner") });
  const AttributeInPath = Type.Object({ ...InPath.properties, key: text() });
  const thingOf = (context: Context, { id }: { id: number }) => {
    get(context, id);
    return { resource, id };
  };
  return [
    operation({
      method: "GET",
      path: `${path}/:id/custom_attributes`,
      summary: `List the custom attributes of ${noun}`,
      who: "administrator",
      scopes: readScopes,
      params: InPath,
      answer: ok(Type.Array(CustomAttribute)),
      handle({ context, params }) {
        return customAttributesOf(context.store, resource, thingOf(context, params).id).map(presentCustomAttribute);
      },
    }),

    operation({
      method: "GET",
      path: `${path}/:id/custom_attributes/:key`,
      summary: `Get a custom attribute of ${noun}`,
      who: "administrator",
      scopes: readScopes,
      params: AttributeInPath,
      answer: ok(CustomAttribute),
      handle({ context, params }) {
        return presentCustomAttribute(getCustomAttribute(context.store, thingOf(context, params), params.key));
      },
    }),

    operation({
      method: "PUT",
      path: `${path}/:id/custom_attributes/:key`,
      summary: `Set a custom attribute of ${noun}`,
      who: "administrator",
      params: Type.Object({ ...AttributeInPath.properties, value: text({ maxLength: 65_536 }) }),
      answer: ok(CustomAttribute),
      handle({ context, params }) {
        return presentCustomAttribute(
          updateCustomAttribute(context, thingOf(context, params), params.key, params.value),
        );
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:id/custom_attributes/:key`,
      summary: `Delete a custom attribute of ${noun}`,
      who: "administrator",
      params: AttributeInPath,
      answer: noContent(),
      handle({ context, params, unmodifiedSince }) {
        deleteCustomAttribute(context, thingOf(context, params), params.key, unmodifiedSince);
      },
    }),
  ];
}
