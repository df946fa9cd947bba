import type { TSchema } from "@sinclair/typebox";
import type { Answer, Operation } from "../../modules/kernel/operation.ts";

/** Throws an error that names an operation if one of its schemas has the `$id` of a different schema. */
export function requireOneSchemaPerName(operations: readonly Operation[]): void {
  const schemas = new SchemaNames();
  for (const operation of operations) {
    for (const schema of bodiesOf(operation.answer)) schemas.add(`${operation.method} ${operation.path}`, schema);
  }
}

function bodiesOf(answer: Answer): readonly TSchema[] {
  switch (answer.kind) {
    case "ok":
    case "created":
      return [answer.body];
    case "page":
      return [answer.item];
    case "outcomes":
      return answer.outcomes.flatMap((outcome) => bodiesOf(outcome.answer));
    default:
      return [];
  }
}

/** The schemas that the API reference describes once, by `$id`. */
class SchemaNames {
  readonly #byId = new Map<string, { readonly schema: TSchema; readonly operation: string }>();
  readonly #seen = new Set<TSchema>();

  /** Adds a schema and its inner schemas. Throws when one has the `$id` of a different schema. */
  add(operation: string, schema: TSchema): void {
    if (this.#seen.has(schema)) return;
    this.#seen.add(schema);
    if (schema.$id !== undefined) this.#name(operation, schema.$id, schema);
    const { properties, patternProperties, items, anyOf } = schema;
    for (const name in properties) this.add(operation, properties[name]);
    for (const pattern in patternProperties) this.add(operation, patternProperties[pattern]);
    if (items !== undefined) this.add(operation, items);
    if (anyOf !== undefined) for (const alternative of anyOf) this.add(operation, alternative);
  }

  /**
   * Notes the name of a schema. Compares schemas as the reference shows them, so an optional copy counts as the same schema.
   */
  #name(operation: string, id: string, schema: TSchema): void {
    const known = this.#byId.get(id);
    if (known === undefined) this.#byId.set(id, { schema, operation });
    else if (JSON.stringify(schema) !== JSON.stringify(known.schema)) {
      throw new Error(`${operation} and ${known.operation} have different schemas with the $id ${id}`);
    }
  }
}
