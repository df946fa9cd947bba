import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import * as declare from "../../../src/domain/parameters.ts";
import { describeApi } from "../../../src/http/openapi/document.ts";
import { describeSchema, type NamedSchemas } from "../../../src/http/openapi/schemas.ts";
import {
  type Answer,
  noContent,
  type Operation,
  ok,
  operation,
  pageOf,
} from "../../../src/modules/kernel/operation.ts";
import type { Json } from "../../support/checks/json.ts";

const { optional, nullable } = declare;
/** A text that says nothing of its length. */
const string = { type: "string", maxLength: 1_024 };

for (const [name, schema, described] of [
  ["text", declare.text({ maxLength: 9 }), { type: "string", maxLength: 9 }],
  ["text that may not be blank", declare.text({ allowBlank: false }), { ...string, minLength: 1 }],
  ["an id in a path", declare.idInPath("user id"), { type: "integer", description: "user id" }],
  ["an excluded value", declare.integer({ except: [0] }), { type: "integer", not: { enum: [0] } }],
  ["a time", declare.dateTime(), { type: "string", format: "date-time" }],
  ["a day, or null", nullable(declare.date()), { type: ["string", "null"], format: "date" }],
  ["an enumeration", declare.oneOf(["a", "b"]), { type: "string", enum: ["a", "b"] }],
  ["numbers", declare.oneOf([10, 20]), { type: "integer", enum: [10, 20] }],
  ["an enumeration, or null", nullable(declare.oneOf(["a"])), { type: ["string", "null"], enum: ["a", null] }],
  ["a literal", Type.Literal("ok"), { type: "string", enum: ["ok"] }],
  ["a list", declare.list(declare.integer()), { type: "array", items: { type: "integer" } }],
  [
    "a list in one text",
    declare.list(declare.text(), { split: true, description: "names" }),
    { type: "array", items: string, description: "names; one text with commas does too" },
  ],
  [
    "a hash",
    declare.hash({ key: declare.text(), value: optional(declare.text()) }),
    { type: "object", required: ["key"], properties: { key: string, value: string } },
  ],
  ["a map", declare.textMap(), { type: "object", additionalProperties: string }],
  ["a file", declare.upload(), { type: "string", format: "binary" }],
  ["two types", Type.Union([Type.String(), Type.Integer()]), { anyOf: [{ type: "string" }, { type: "integer" }] }],
  [
    "two types, or null",
    Type.Union([Type.String(), Type.Integer(), Type.Null()]),
    { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
  ],
  [
    "a null that v5 removes",
    nullable(declare.boolean(), { deprecated: true }),
    { anyOf: [{ type: "boolean" }, { type: "null", deprecated: true }] },
  ],
  ["anything", Type.Unknown(), {}],
] as const satisfies readonly (readonly [string, TSchema, object])[]) {
  test(`${name} has the description that a client needs`, () => {
    expect<unknown>(describeSchema(schema, {})).toEqual(described);
  });
}

test("a named type is described once and referenced", () => {
  const named: NamedSchemas = {};
  const Person = Type.Object({ id: Type.Integer() }, { $id: "Person" });
  const reference = { $ref: "#/components/schemas/Person" };
  expect<unknown>(describeSchema(Type.Array(Person), named)).toEqual({ type: "array", items: reference });
  expect<unknown>(describeSchema(nullable(Person), named)).toEqual({ anyOf: [reference, { type: "null" }] });
  expect<unknown>(named).toEqual({
    Person: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  });
});

const params = Type.Object({
  id: declare.idInPath("thing id"),
  ids: declare.list(declare.integer()),
  not: optional(declare.hash({ label: declare.text(), ids: optional(declare.list(declare.integer())) })),
  steps: optional(declare.list(declare.hash({ key: declare.text() }))),
  attributes: optional(declare.textMap()),
  old: optional(declare.text({ deprecated: true, description: "gone in v5" })),
});

type Method = "GET" | "POST" | "DELETE";

function declareThings(method: Method, answer: Answer, schema = params): Operation {
  return operation({
    method,
    path: "/things/:id",
    summary: "Things",
    who: "signed_in",
    params: schema,
    answer,
    handle() {},
  });
}

function describe(method: Method, answer: Answer, schema = params): Json {
  const document = describeApi([{ name: "Things", operations: [declareThings(method, answer, schema)] }]);
  return { document, operation: document.paths["/api/v4/things/{id}"]?.[method.toLowerCase()] };
}

test("queries have brackets for lists and hashes", () => {
  const { operation } = describe("GET", ok(Type.Unknown()));
  expect(operation.parameters).toEqual([
    { name: "id", in: "path", required: true, description: "thing id", schema: { type: "integer" } },
    { name: "ids[]", in: "query", required: true, schema: { type: "array", items: { type: "integer" } } },
    { name: "not[label]", in: "query", schema: string },
    { name: "not[ids][]", in: "query", schema: { type: "array", items: { type: "integer" } } },
    { name: "steps[][key]", in: "query", schema: { type: "array", items: string } },
    {
      name: "attributes",
      in: "query",
      style: "deepObject",
      example: {},
      explode: true,
      schema: { type: "object", additionalProperties: string },
    },
    { name: "old", in: "query", description: "gone in v5", deprecated: true, schema: string },
  ]);
});

test("bodies are JSON with its own types, or a form with brackets", () => {
  const { operation, document } = describe("POST", ok(Type.Unknown()));
  const { content } = operation.requestBody;
  expect(Object.keys(content)).toEqual(["application/json", "application/x-www-form-urlencoded"]);
  expect(content["application/json"]).toEqual({
    schema: { $ref: "#/components/schemas/PostThingsByIdBody" },
    example: { ids: [1] },
  });
  const { PostThingsByIdBody, PostThingsByIdForm } = document.components.schemas;
  expect(Object.keys(PostThingsByIdBody.properties)).toEqual(["ids", "not", "steps", "attributes", "old"]);
  expect(Object.keys(PostThingsByIdForm.properties)).toEqual([
    "ids[]",
    "not[label]",
    "not[ids][]",
    "steps[][key]",
    "attributes",
    "old",
  ]);
  expect(PostThingsByIdForm.required).toEqual(["ids[]"]);
});

test("files travel in multipart forms, not in JSON", () => {
  const schema = Type.Object({ id: declare.idInPath("id"), avatar: optional(declare.upload()), name: declare.text() });
  const { operation, document } = describe("POST", ok(Type.Unknown()), schema as never);
  expect(Object.keys(operation.requestBody.content)).toEqual(["application/json", "multipart/form-data"]);
  expect(Object.keys(document.components.schemas.PostThingsByIdBody.properties)).toEqual(["name"]);
  expect(document.components.schemas.PostThingsByIdForm.properties.avatar).toEqual({
    type: "string",
    format: "binary",
  });
});

test("lists have paging parameters and headers", () => {
  const { operation } = describe("GET", pageOf(Type.Unknown()), Type.Object({ id: declare.idInPath("id") }) as never);
  expect(operation.parameters.map(({ name }: { name: string }) => name)).toEqual(["id", "page", "per_page"]);
  expect(Object.keys(operation.responses["200"].headers)).toContainValues(["Link", "X-Total", "X-Next-Page"]);
});

test("a deletion may depend on a time", () => {
  const { operation } = describe("DELETE", noContent());
  expect(operation.parameters).toContainEqual({ $ref: "#/components/parameters/IfUnmodifiedSince" });
  expect(Object.keys(operation.responses)).toEqual(["204", "400", "401", "403", "404", "412", "429", "503"]);
});

test("two different schemas do not share an $id", () => {
  const inner = Type.Array(Type.Union([Type.Object({ title: Type.String() }, { $id: "Shelf" }), Type.Null()]));
  const operations = [
    declareThings("GET", ok(Type.Object({}, { $id: "Shelf" }))),
    declareThings("POST", pageOf(Type.Object({ shelves: inner }))),
  ];
  expect(() => describeApi([{ name: "Things", operations }])).toThrow(
    "POST /things/:id and GET /things/:id have different schemas with the $id Shelf",
  );
});
