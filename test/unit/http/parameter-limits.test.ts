import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import * as declare from "../../../src/domain/parameters.ts";
import { bodyBytesMax } from "../../../src/http/body/body.ts";
import { compileParameters } from "../../../src/http/params/params.ts";
import { alternativesOf, enumerationOf, isAnything } from "../../../src/http/params/schema-introspection.ts";
import { emptyValues, type RawValue } from "../../../src/http/params/values.ts";
import { operations } from "../../../src/modules/operations.ts";
import { failureOf } from "./failures.ts";

const mebi = 1_048_576;

function read(schema: TSchema, raw: RawValue): unknown {
  return compileParameters(Type.Object({ x: schema }))(Object.assign(emptyValues(), { x: raw }), {}).x;
}

const errorOf = (schema: TSchema, raw: RawValue) => failureOf(() => read(schema, raw)).body.error;
const entries = (count: number, value: RawValue = "a") =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

describe("a text", () => {
  const tooLong = (max: number) => `x is too long (maximum is ${max} characters)`;

  test("has the maximum of its declaration", () => {
    expect(read(declare.text({ maxLength: 5 }), "a".repeat(5))).toBe("aaaaa");
    expect(errorOf(declare.text({ maxLength: 5 }), "a".repeat(6))).toBe(tooLong(5));
    expect(read(declare.text({ maxLength: 3 * mebi }), "a".repeat(3 * mebi))).toHaveLength(3 * mebi);
  });

  test("has one of 1,024 where its declaration says nothing else", () => {
    const text = "a".repeat(1_025);
    expect(read(declare.text(), "a".repeat(1_024))).toHaveLength(1_024);
    expect(errorOf(declare.text(), text)).toBe(tooLong(1_024));
    expect(errorOf(declare.nullable(declare.text()), text)).toBe(tooLong(1_024));
    expect(errorOf(declare.list(declare.text()), ["a", text])).toBe(tooLong(1_024));
    expect(errorOf(declare.hash({ y: declare.text() }), { y: text })).toBe(tooLong(1_024).replace("x", "x[y]"));
  });

  test("may be as long as a description, whatever its characters are", () => {
    for (const character of ["a", "ä", "😀"]) {
      const text = character.repeat(mebi);
      expect(read(declare.longText(), text) === text).toBe(true);
    }
    expect(errorOf(declare.longText(), "a".repeat(2 * mebi + 1))).toBe(tooLong(2 * mebi));
  });

  test("in place of a value of another type has a maximum, too", () => {
    const text = "a".repeat(2 * mebi + 1);
    expect(errorOf(declare.textMap(), { y: text })).toBe(tooLong(1_024));
    expect(errorOf(declare.oneOf(["a"]), text)).toBe(tooLong(mebi));
    expect(errorOf(declare.integer(), text)).toBe(tooLong(mebi));
  });

  test("as part of a value without a type counts with the others and with keys", () => {
    const half = "a".repeat(mebi);
    expect(read(Type.Unknown(), [half, { y: half }].slice(1))).toEqual([{ y: half }]);
    expect(errorOf(Type.Unknown(), [half, { y: half }])).toBe(tooLong(mebi));
    expect(errorOf(Type.Unknown(), entries(3_000, "b".repeat(1_000)))).toBe(tooLong(mebi));
  });
});

describe("a list", () => {
  const tooMany = "x has too many values (maximum is 1000)";
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

  test("holds a thousand values and not one more, however it is written", () => {
    const ids = declare.list(declare.integer(), { split: true });
    expect(read(ids, numbers(1000))).toHaveLength(1000);
    expect(read(ids, numbers(1000).join(","))).toHaveLength(1000);
    expect(errorOf(ids, numbers(1001))).toBe(tooMany);
    expect(errorOf(ids, numbers(1001).join(","))).toBe(tooMany);
    expect(errorOf(ids, [numbers(500).join(","), numbers(501).join(",")])).toBe(tooMany);
    expect(errorOf(ids, Object.fromEntries(numbers(1001).map((at) => [at, "1"])))).toBe(tooMany);
    expect(errorOf(ids, ",".repeat(1000))).toBe(tooMany);
  });

  test("holds as many as it says", () => {
    const few = declare.list(declare.text(), { maxItems: 3 });
    expect(read(few, ["a", "b", "c"])).toEqual(["a", "b", "c"]);
    expect(errorOf(few, ["a", "b", "c", "d"])).toBe("x has too many values (maximum is 3)");
    expect(read(declare.list(declare.text(), { maxItems: 2000 }), Array(2000).fill("a"))).toHaveLength(2000);
  });

  test("is counted before its values are checked", () => {
    const values = [...numbers(1001)] as RawValue[];
    Object.defineProperty(values, 0, {
      get() {
        throw new Error("looked at");
      },
    });
    expect(errorOf(declare.list(declare.integer()), values)).toBe(tooMany);
  });

  test("in a text is counted as well", () => {
    const names = declare.text({ maxItems: 2 });
    expect(read(names, "a,b")).toBe("a,b");
    expect(errorOf(names, "a,b,c")).toBe("x has too many values (maximum is 2)");
  });

  test("in the error of one value is not repeated in full", () => {
    const one = declare.list(declare.text(), { maxItems: 1 });
    expect(errorOf(one, ["a", "b"])).toBe("x allows one value, but found 2: a, b");
    expect(errorOf(one, ["a", "b".repeat(5_000)])?.length).toBeLessThan(400);
  });
});

test("of a value that is no number, none or any is repeated only if it is short", () => {
  const none = declare.integerNoneOrAny();
  expect(errorOf(none, "some")).toBe("x should be an integer, none, or any, however got some");
  expect(errorOf(none, "s".repeat(5_000))).toBe("x is invalid");
});

describe("a hash with keys of the caller's choice", () => {
  test("has a thousand entries and not one more", () => {
    expect(Object.keys(read(declare.textMap(), entries(1000)) as object)).toHaveLength(1000);
    expect(errorOf(declare.textMap(), entries(1001))).toBe("x has too many values (maximum is 1000)");
  });

  test("has keys of 255 characters and not one more", () => {
    const key = "😀".repeat(255);
    expect(read(declare.textMap(), { [key]: "a" })).toEqual({ [key]: "a" });
    expect(errorOf(declare.textMap(), { [`${key}a`]: "b" })).toBe(
      "x has a key that is too long (maximum is 255 characters)",
    );
  });
});

describe("every parameter of every operation has a bound", () => {
  const long = "a".repeat(2 * mebi + 1);

  /** A value of the declared type that is too large, with what is said of it. */
  function oversized(schema: TSchema): RawValue | undefined {
    const [first] = alternativesOf(schema);
    if (first === undefined || first.contentMediaType !== undefined) return undefined;
    if (isAnything(first) || enumerationOf(schema) !== undefined) return long;
    if (first.type === "array") return Array(Math.max(first.maxItems ?? 0, 1000) + 1).fill("1");
    if (first.type !== "object") return first.maxLength === undefined ? long : undefined;
    return first.patternProperties === undefined ? undefined : entries(1001);
  }

  const declared = operations.flatMap(({ method, path, params }) =>
    Object.entries(params.properties).map(([name, schema]) => ({ schema, where: `${method} ${path} ${name}` })),
  );

  test("a value that is too large is refused", () => {
    let refusals = 0;
    for (const { schema, where } of declared) {
      const raw = oversized(schema);
      if (raw === undefined) continue;
      const error = errorOf(schema, raw);
      if (!/^x (is too long|has too many values) \(maximum is \d+/.test(error ?? ""))
        throw new Error(`${where}: ${error}`);
      refusals += 1;
    }
    expect(refusals).toBeGreaterThan(1_000);
  });

  test("a larger maximum of its own is limited by the size of a body", () => {
    for (const { schema, where } of declared) {
      for (const { maxLength = 0, maxItems = 0 } of alternativesOf(schema)) {
        if (maxLength > bodyBytesMax || maxItems > 50_000) throw new Error(where);
      }
    }
  });
});
