import { send } from "./client.ts";
import type { paths } from "./generated.d.ts";
import { addressOf } from "./paths.ts";

/** The parts of a parameter's schema that a form needs. */
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
  readonly components: {
    readonly schemas: Readonly<Record<string, BodySchema>>;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface OperationInDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly "x-who": AccessRule;
  readonly "x-scopes": string | readonly string[];
  readonly "x-edition": string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, AnswerInDocument>> }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema & Reference }>> };
}

interface AnswerInDocument {
  readonly examples?: { readonly demo?: Reference };
}

interface Reference {
  readonly $ref?: string;
}

let document: Promise<ApiDocument> | undefined;

/** Returns the schema of an operation's body from the server's API document, which is loaded at the first call. */
export async function bodySchemaOf(method: "post" | "put" | "patch", path: keyof paths): Promise<BodySchema> {
  const { paths: described, components } = await loadDocument();
  const content = described[path]?.[method]?.requestBody?.content ?? {};
  const schema = content["application/json"]?.schema;
  if (schema === undefined) throw new Error(`${method} ${path} takes no body`);
  if (schema.$ref === undefined) return schema;
  const named = components.schemas[schema.$ref.replace("#/components/schemas/", "")];
  if (named === undefined) throw new Error(`${schema.$ref} is not there`);
  return named;
}

interface ExampleAnswer {
  readonly status: string;
  /** undefined when the answer has no body. */
  readonly body: unknown;
}

/** Returns an operation's example answer from the API document; undefined when there is none. */
export async function exampleAnswerOf(method: string, path: string): Promise<ExampleAnswer | undefined> {
  const { paths: described, components } = await loadDocument();
  const answers = Object.entries(described[path]?.[method.toLowerCase()]?.responses ?? {});
  const [status, success] = answers.find(([code]) => code.startsWith("2")) ?? [];
  const reference = success?.content?.["application/json"]?.examples?.demo?.$ref;
  const example = reference && components.examples?.[reference.replace("#/components/examples/", "")];
  return status === undefined ? undefined : { status, body: example ? example.value : undefined };
}

/** The callers of an operation: a kind of caller, or a role in the group or project of the path. */
export type AccessRule =
  | "anyone"
  | "signed_in"
  | "administrator"
  | "administrator_first"
  | "job"
  | { readonly in: "group" | "project"; readonly level: number; readonly isAnonymousWelcome: boolean };

/** An operation in the API document. */
export interface DescribedOperation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly who: AccessRule;
  readonly takesJobToken: boolean;
  readonly scopes: string;
  /** The lowest edition with the operation. */
  readonly edition: string;
}

/** Returns every operation, in the order of the API document. */
export async function operationsInDocument(): Promise<DescribedOperation[]> {
  const { paths: described } = await loadDocument();
  return Object.entries(described).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { operationId: id, tags, summary, security, ...of }]) => ({
        ...{ id, tag: tags[0] ?? "", method: method.toUpperCase(), path, summary },
        ...{ who: of["x-who"], scopes: [of["x-scopes"]].flat().join(", "), edition: of["x-edition"] },
        takesJobToken: security.some((scheme) => "jobToken" in scheme),
      })),
  );
}

function loadDocument(): Promise<ApiDocument> {
  document ??= send(new URL(addressOf("/-/openapi.json"), location.origin).href).then((answer) => answer.json());
  return document;
}
