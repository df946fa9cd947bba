import { expect, test } from "bun:test";
import { type TProperties, Type } from "@sinclair/typebox";
import {
  allOrNone,
  atLeastOne,
  boolean,
  exactlyOne,
  hash,
  integer,
  list,
  mutuallyExclusive,
  nullable,
  oneOf,
  optional,
  type ParameterRule,
  text,
} from "../../../src/domain/parameters.ts";
import { compileParameters } from "../../../src/http/params/params.ts";
import { emptyValues } from "../../../src/http/params/values.ts";
import { failureOf } from "./failures.ts";

function refusalOf(declared: TProperties, sent: object, ...rules: ParameterRule[]): unknown {
  const reader = compileParameters(Type.Object(declared), rules);
  const { kind, body } = failureOf(() => reader(Object.assign(emptyValues(), sent), {}));
  expect(kind).toBe("parameters");
  return body;
}

const both = (text: string) => ({ error: text, message: text });

test("a missing required parameter is in both keys", () => {
  expect(refusalOf({ description: text() }, {})).toEqual({
    error: "description is missing",
    message: '400 (Bad request) "description" not given',
  });
});

test("a missing one that may not be blank is missing and empty", () => {
  const declared = { branch: text({ allowBlank: false }), content: text(), ref: text({ allowBlank: false }) };
  expect(refusalOf(declared, { ref: " " })).toMatchObject({
    error: "branch is missing, branch is empty, content is missing, ref is empty",
  });
});

test("of several missing ones all are in error and the first is in message", () => {
  expect(refusalOf({ ref: text(), count: optional(integer()), token: text() }, { count: "x" })).toEqual({
    error: "ref is missing, count is invalid, token is missing",
    message: '400 (Bad request) "ref" not given',
  });
});

test("failures come in declaration order, not in the order of the request", () => {
  const declared = { a: integer(), b: boolean(), c: oneOf(["x"]) };
  expect(refusalOf(declared, { c: "y", b: "maybe", a: "z" })).toEqual(
    both("a is invalid, b is invalid, c does not have a valid value"),
  );
});

test("equal errors are reported once", () => {
  expect(refusalOf({ ids: list(integer()) }, { ids: ["a", "b", "c"] })).toEqual(both("ids is invalid"));
});

test("a blank value is empty where blank is forbidden", () => {
  const declared = { ref: text({ allowBlank: false }) };
  for (const ref of ["", "  ", null]) expect(refusalOf(declared, { ref })).toEqual(both("ref is empty"));
  for (const id of ["", null]) {
    expect(refusalOf({ id: integer({ allowBlank: false }) }, { id })).toEqual(both("id is empty"));
  }
  expect(refusalOf({ ids: list(integer(), { allowBlank: false }) }, { ids: [] })).toEqual(both("ids is empty"));
});

test("where blank is forbidden, an optional parameter may be left out but not be blank", () => {
  const declared = { confidential: optional(boolean({ allowBlank: false })) };
  expect(compileParameters(Type.Object(declared))(emptyValues(), {})).toEqual({});
  for (const confidential of ["", null]) {
    expect(refusalOf(declared, { confidential })).toEqual(both("confidential is empty"));
  }
});

test("a required boolean that is null or an empty text is empty, without is missing", () => {
  for (const enabled of [null, ""])
    expect(refusalOf({ enabled: boolean() }, { enabled })).toEqual(both("enabled is empty"));
  expect(refusalOf({ enabled: boolean() }, {})).toMatchObject({ error: "enabled is missing" });
});

test("another required parameter that is null was not given", () => {
  expect(refusalOf({ name: text() }, { name: null })).toMatchObject({ error: "name is missing" });
  expect(refusalOf({ id: integer() }, { id: "" })).toMatchObject({ error: "id is missing" });
});

test("an excluded value is reported as such", () => {
  expect(refusalOf({ per_page: integer({ except: [0] }) }, { per_page: "0" })).toEqual(
    both("per_page has a value not allowed"),
  );
});

test("errors inside of hashes and arrays of hashes name the place", () => {
  const inner = hash({ inner: text(), count: optional(integer()) });
  expect(refusalOf({ outer: inner }, { outer: {} })).toEqual({
    error: "outer[inner] is missing",
    message: '400 (Bad request) "outer[inner]" not given',
  });
  expect(refusalOf({ outer: list(inner) }, { outer: [{}, { inner: "a" }, { count: "x" }] })).toMatchObject({
    error: "outer[0][inner] is missing, outer[2][inner] is missing, outer[2][count] is invalid",
  });
  expect(refusalOf({ outer: inner }, { outer: "a" })).toEqual(both("outer is invalid"));
  expect(refusalOf({ outer: list(inner) }, { outer: "a" })).toEqual(both("outer is invalid"));
});

test("a missing optional hash has no missing members", () => {
  const declared = Type.Object({ outer: optional(hash({ inner: text() })) });
  expect(compileParameters(declared)(emptyValues(), {})).toEqual({});
});

const abc = { a: optional(text()), b: optional(integer()), c: optional(nullable(text())) };
const accepts = (sent: object, rule: ParameterRule) =>
  compileParameters(Type.Object(abc), [rule])(Object.assign(emptyValues(), sent), {});

test("of a mutually exclusive set the given ones are named, in declaration order", () => {
  const rule = mutuallyExclusive("a", "b", "c");
  expect(refusalOf(abc, { c: "1", a: "1" }, rule)).toEqual(both("a, c are mutually exclusive"));
  expect(accepts({ a: "1" }, rule)).toEqual({ a: "1" });
  expect(accepts({}, rule)).toEqual({});
  expect(accepts({ a: "1", b: null }, rule)).toEqual({ a: "1" });
});

test("one of a set must be given", () => {
  const rule = atLeastOne("a", "b", "c");
  expect(refusalOf(abc, {}, rule)).toEqual(both("a, b, c are missing, at least one parameter must be provided"));
  expect(refusalOf(abc, { a: null, b: "" }, rule)).toEqual(
    both("a, b, c are missing, at least one parameter must be provided"),
  );
  expect(accepts({ a: "1", b: "2" }, rule)).toEqual({ a: "1", b: 2 });
});

test("a null that clears counts as given", () => {
  expect(accepts({ c: null }, atLeastOne("a", "b", "c"))).toEqual({ c: null });
});

test("exactly one of a set must be given", () => {
  const rule = exactlyOne("a", "b");
  expect(refusalOf(abc, {}, rule)).toEqual(both("a, b are missing, exactly one parameter must be provided"));
  expect(refusalOf(abc, { a: "1", b: "2" }, rule)).toEqual(both("a, b are mutually exclusive"));
  expect(accepts({ b: "2" }, rule)).toEqual({ b: 2 });
});

test("all or none of a set must be given", () => {
  const rule = allOrNone("a", "b");
  expect(refusalOf(abc, { a: "1" }, rule)).toEqual(both("a, b provide all or none of parameters"));
  expect(accepts({}, rule)).toEqual({});
  expect(accepts({ a: "1", b: "2" }, rule)).toEqual({ a: "1", b: 2 });
});

test("a parameter of a wrong type counts as given, and rules come after the parameters", () => {
  expect(refusalOf(abc, { b: "x" }, atLeastOne("a", "b"))).toEqual(both("b is invalid"));
  expect(refusalOf(abc, { b: "x", a: "1" }, exactlyOne("a", "b"))).toEqual(
    both("b is invalid, a, b are mutually exclusive"),
  );
});
