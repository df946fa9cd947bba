import type { Documentation } from "./document.ts";
import type { Json } from "./schemas.ts";

/** Examples of success bodies, by schema name (`Project`, `ProjectList`) or operation id. */
export type ApiExamples = Readonly<Record<string, unknown>>;

/** Adds an example to each success body and shared error that has one. */
export function withExamples(documentation: Documentation, examples: ApiExamples): Documentation {
  const used = new Set<string>();
  const add = (response: Json, key: string | undefined): Json => {
    if (key === undefined || !(key in examples)) return response;
    used.add(key);
    return withExample(response, key);
  };
  const { paths, components } = documentation;
  const ofOperation = (operation: Json): Json => ({
    ...operation,
    responses: mapJson(operation.responses as Json, (response) => add(response, exampleKeyOf(operation, response))),
  });
  const described = mapJson(paths, (item) => mapJson(item, ofOperation));
  const responses = mapJson(components.responses as Json, (response, name) => add(response, name));
  const named = [...used].sort().map((name): [string, Json] => [name, { value: examples[name] }]);
  return {
    ...documentation,
    paths: described as Documentation["paths"],
    components: { ...components, responses, examples: Object.fromEntries(named) },
  };
}

function withExample(response: Json, key: string): Json {
  const content = response.content as Json;
  const json = { ...(content[jsonType] as Json), examples: { demo: { $ref: `#/components/examples/${key}` } } };
  return { ...response, content: { ...content, [jsonType]: json } };
}

const jsonType = "application/json";

/** Returns the name of a response's example; undefined for a response without JSON, and for errors, which share theirs. */
export function exampleKeyOf(operation: Json, response: Json): string | undefined {
  const schema = ((response.content as Json | undefined)?.[jsonType] as Json | undefined)?.schema as Json | undefined;
  if (schema === undefined) return undefined;
  const item = nameOf(schema.items as Json | undefined);
  if (item !== undefined) return `${item}List`;
  return nameOf(schema) ?? String(operation.operationId);
}

function nameOf(schema: Json | undefined): string | undefined {
  const reference = schema?.$ref;
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;
}

function mapJson(part: Json, change: (value: Json, key: string) => Json): Json {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value as Json, key)]));
}
