import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { operationIdOf, pathOf } from "../../../src/http/openapi/document.ts";
import { compileParameters } from "../../../src/http/params/params.ts";
import { modules } from "../../../src/modules/index.ts";
import { isAnonymousWelcome, pathParameters } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../../src/modules/operations.ts";
import { type Json, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const { body: document, text } = await world.call("GET", "/-/openapi.json");

describe("the OpenAPI document", () => {
  test("is valid", async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect(document.openapi).toBe("3.1.0");
  });

  test("is valid in OpenAPI 3.0, too, where null is no type", async () => {
    const { status, body, text: older } = await world.call("GET", "/-/openapi.json?version=3.0");
    expect([status, body.openapi]).toEqual([200, "3.0.3"]);
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true });
    expect(older).not.toMatch(/"type":(\[|"null")/);
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
    const { avatar_url, ldap_cn } = body.components.schemas.Group.properties;
    expect(avatar_url).toMatchObject({ type: "string", nullable: true });
    expect(ldap_cn).toMatchObject({ type: "object", nullable: true, enum: [null] });
    expect((await world.call("GET", "/-/openapi.json?version=2.0")).status).toBe(400);
  });

  test("comes in a coding that the client takes", async () => {
    for (const [accepted, coding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await world.call("GET", "/-/openapi.json", { headers: { "Accept-Encoding": accepted } });
      expect([accepted, answer.headers.get("content-encoding")]).toEqual([accepted, coding]);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    }
  });

  test("is served as bare JSON with a tag, to all callers, and by no other method", async () => {
    const { status, headers } = await world.call("GET", "/-/openapi.json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    const tag = headers.get("etag") as string;
    expect((await world.call("GET", "/-/openapi.json", { headers: { "If-None-Match": tag } })).status).toBe(304);
    expect((await world.call("HEAD", "/-/openapi.json")).status).toBe(200);
    expect((await world.call("POST", "/-/openapi.json")).status).toBe(405);
  });

  test("describes tags on responses that have them: those of reads", () => {
    for (const item of Object.values<Json>(document.paths)) {
      for (const [method, { responses }] of Object.entries<Json>(item)) {
        const isTagged = responses?.["200"]?.headers?.ETag !== undefined;
        expect([method, isTagged]).toEqual([method, method === "get" && responses["200"] !== undefined]);
      }
    }
  });

  test("names no host", () => {
    expect(text).not.toMatch(/https?:|\/\//);
    expect(document.servers).toEqual([{ url: "/" }]);
  });

  test("has the path of the external address", async () => {
    const below = await startWorld({ externalUrl: "https://company.example/outpost" });
    const { body } = await below.call("GET", "/-/openapi.json");
    expect(body.servers).toEqual([{ url: "/outpost" }]);
    expect((await below.call("GET", "/-/api")).text).toContain('data-document="/outpost/-/openapi.json?version=3.0"');
  });

  test("has every operation once, and no other", () => {
    const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const declared = operations.map((operation) => `${operation.method.toLowerCase()} ${pathOf(operation)}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
    expect(new Set(operations.map(operationIdOf)).size).toBe(operations.length);
  });

  test("has an example of each body that the operation takes", () => {
    for (const operation of operations) {
      const item = document.paths[pathOf(operation)][operation.method.toLowerCase()];
      const example = item.requestBody?.content["application/json"]?.example;
      if (example === undefined) continue;
      const named = Object.fromEntries(pathParameters(operation.path).map((name) => [name, "1"]));
      const read = compileParameters(operation.params, operation.rules);
      const refusal = (() => {
        try {
          read(example, named);
          return undefined;
        } catch (error) {
          return String(error);
        }
      })();
      expect({ path: operation.path, example, refusal }).toEqual({ path: operation.path, example, refusal: undefined });
    }
  });

  test("has an empty example for each map in a query, so that API pages invent no keys", () => {
    const maps = Object.values<Json>(document.paths)
      .flatMap((item) => Object.values<Json>(item))
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ style }: Json) => style === "deepObject");
    expect(maps.length).toBeGreaterThan(0);
    for (const { name, example } of maps) expect({ name, example }).toEqual({ name, example: {} });
  });

  test("takes numbers and texts where an id is one or the other", () => {
    const idOf = (path: string) => document.paths[path].get.parameters[0].schema.type;
    expect(idOf("/api/v4/projects/{id}")).toEqual(["integer", "string"]);
    expect(idOf("/api/v4/groups/{id}")).toEqual(["integer", "string"]);
    expect(idOf("/api/v4/users/{user_id}/projects")).toEqual(["integer", "string"]);
    expect(idOf("/api/v4/users/{id}")).toBe("integer");
  });

  test("says what each tag is about", () => {
    expect(document.tags.filter(({ description }: Json) => description === undefined)).toEqual([]);
    const said = modules.flatMap(({ about = {} }) => Object.keys(about));
    expect(said.toSorted()).toEqual(document.tags.map(({ name }: Json) => name).toSorted());
  });

  test("names the type of each enumeration's values", () => {
    const walk = (schema: Json): void => {
      if (typeof schema !== "object" || schema === null) return;
      for (const value of Array.isArray(schema.enum) ? schema.enum : []) {
        const type = value === null ? "null" : typeof value === "number" ? "integer" : typeof value;
        expect([schema.type].flat()).toContain(type);
      }
      for (const [key, inner] of Object.entries(schema)) if (key !== "not") walk(inner);
    };
    walk(document);
  });

  test("has no two paths that differ only in the names of parameters", () => {
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(shapes.toSorted()).toEqual([...new Set(shapes)].toSorted());
  });

  test("leaks no option of the parameter reader", () => {
    expect(keywordsIn(document).filter((word) => readerWords.includes(word))).toEqual([]);
  });

  test("has the components that it refers to, and no others", () => {
    const referred = [...new Set(text.match(/#\/components\/[^"]+/g))];
    const present = Object.entries<Json>(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, items]) => Object.keys(items).map((name) => `#/components/${kind}/${name}`));
    expect(referred.toSorted()).toEqual(present.toSorted());
  });
});

for (const operation of operations) {
  test(`${operation.method} ${operation.path} describes its callers, its parameters, its success and its errors`, () => {
    const described: Json = document.paths[pathOf(operation)][operation.method.toLowerCase()];
    const statuses = Object.keys(described.responses);
    const { answer } = operation;
    const hasParts = answer.kind === "file" && answer.hasRanges === true;
    const successes = answer.kind === "outcomes" ? answer.outcomes.length : hasParts ? 2 : 1;
    expect(statuses.filter((status) => /^2|^302$/.test(status))).toHaveLength(successes);
    expect(statuses).toContainValues(["400", "401", "403", "404", "429", "503"]);
    expect(described).toMatchObject({ "x-who": operation.who, "x-edition": operation.tier ?? "community" });
    expect(described.summary).toBe(operation.summary);
    expect(described.tags).toHaveLength(1);
    expect(described.security.some((way: object) => Object.keys(way).length === 0)).toBe(
      isAnonymousWelcome(operation.who),
    );
    expect(parameterNames(described)).toContainValues(Object.keys(operation.params.properties));
  });
}

test("background jobs and CI jobs have a schema each", () => {
  const propertiesOf = (path: string) => {
    const { $ref } = document.paths[path].get.responses["200"].content["application/json"].schema.items;
    return Object.keys(document.components.schemas[$ref.split("/").at(-1)].properties);
  };
  expect(propertiesOf("/-/jobs")).toContain("due_at");
  expect(propertiesOf("/api/v4/projects/{id}/jobs")).toContain("pipeline");
});

test("operations and fields that v5 removes are marked deprecated", () => {
  const { private_profile } = document.components.schemas.PostUsersBody.properties;
  expect(private_profile.anyOf[1]).toMatchObject({ type: "null", deprecated: true });
});

describe("the page", () => {
  test("loads scripts and styles of its own server only, which clients may cache", async () => {
    const { status, headers, text: html } = await world.call("GET", "/-/api");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(html).not.toMatch(/https?:|<script>|<style| on\w+=|\{/);
    const addresses = [...html.matchAll(/(?:src|href)="(\/-\/api\/[^"]+)"/g)].map((match) => match[1] as string);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) {
      const file = await world.call("GET", address, { headers: { "Accept-Encoding": "br" } });
      expect(file.headers.get("content-encoding")).toBe("br");
      expect(file.status).toBe(200);
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000");
      expect(file.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    }
  });

  test("has no other files", async () => {
    expect((await world.call("GET", "/-/api/swagger-ui.js")).status).toBe(404);
    expect((await world.call("GET", "/-/api/..%2Fpage.js")).status).toBe(404);
  });
});

/** Keywords that only `http/params` and TypeBox read. */
const readerWords = [
  "allowBlank",
  "except",
  "split",
  "routeOnly",
  "saturate",
  "$id",
  "contentMediaType",
  "tier",
  "takesNumber",
];

/** Keys everywhere but where they are names of the API. */
function keywordsIn(value: Json, areNames = false): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => keywordsIn(each));
  return Object.entries<Json>(value).flatMap(([key, inner]) => [
    ...(areNames ? [] : [key]),
    ...keywordsIn(inner, !areNames && ["properties", "schemas", "paths"].includes(key)),
  ]);
}

/** Names without brackets, of the path, the query and the body: files are only in its form, and a raw body has none. */
function parameterNames({ parameters = [], requestBody }: Json): string[] {
  const inBody = Object.values<Json>(requestBody?.content ?? {}).flatMap(({ schema }) =>
    schema?.$ref === undefined
      ? []
      : Object.keys(document.components.schemas[schema.$ref.split("/").at(-1)].properties),
  );
  return [...parameters.map(({ name = "" }: Json) => name), ...inBody].map((name) => name.replace(/\[.*/, ""));
}
