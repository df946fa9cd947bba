import { send } from "./client.ts";
import type { paths } from "./generated.d.ts";
import { addressOf } from "./paths.ts";

/** The schema of one parameter, as far as a form needs it. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly description?: string;
  readonly format?: string;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

/** The schema of a body. */
export interface BodySchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationInDocument>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, BodySchema>> };
}

interface OperationInDocument {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema & Reference }>> };
}

interface Reference {
  readonly $ref?: string;
}

let document: Promise<ApiDocument> | undefined;

/** The schema of the body that an operation takes, from the server's own description of its API; loaded on first need. */
export async function bodySchemaOf(method: "post" | "put" | "patch", path: keyof paths): Promise<BodySchema> {
  document ??= send(new URL(addressOf("/-/openapi.json"), location.origin).href).then((answer) => answer.json());
  const { paths: described, components } = await document;
  const content = described[path]?.[method]?.requestBody?.content ?? {};
  const schema = content["application/json"]?.schema;
  if (schema === undefined) throw new Error(`${method} ${path} takes no body`);
  if (schema.$ref === undefined) return schema;
  const named = components.schemas[schema.$ref.replace("#/components/schemas/", "")];
  if (named === undefined) throw new Error(`${schema.$ref} is not there`);
  return named;
}
