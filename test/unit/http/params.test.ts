import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import * as declare from "../../../src/domain/parameters.ts";
import { readQuery } from "../../../src/http/body/query.ts";
import { compileParameters } from "../../../src/http/params/params.ts";
import { emptyValues, FilePart, type RawValue } from "../../../src/http/params/values.ts";
import { failureOf } from "./failures.ts";

type Schema = Parameters<typeof Type.Object>[0][string];

/** Reads one parameter `x` of this type. */
function read(schema: Schema, x: RawValue): unknown {
  return compileParameters(Type.Object({ x: schema }))(Object.assign(emptyValues(), { x }), {});
}

function errorOf(schema: Schema, x: RawValue): string | undefined {
  return failureOf(() => read(schema, x)).body.error;
}

const { optional, nullable } = declare;

for (const [sent, value] of [
  ["42", 42],
  ["-7", -7],
  ["+7", 7],
  [" 7", 7],
  ["007", 7],
  ["0", 0],
  [42, 42],
  [-1, -1],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
] as const) {
  test(`${JSON.stringify(sent)} is the integer ${value}`, () => {
    expect(read(declare.integer(), sent)).toEqual({ x: value });
  });
}

for (const sent of [
  "abc",
  "1.5",
  "1e3",
  "0x1f",
  "1_000",
  "--1",
  "-",
  1.5,
  true,
  [1],
  {},
  "9007199254740992",
  2 ** 53,
]) {
  test(`${JSON.stringify(sent)} is no integer`, () => {
    expect(errorOf(declare.integer(), sent)).toBe("x is invalid");
    expect(errorOf(optional(declare.integer()), sent)).toBe("x is invalid");
  });
}

const trueWords = ["true", "1", "t", "y", "yes", "on"];
const falseWords = ["false", "0", "f", "n", "no", "off"];
const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
for (const [words, value] of [
  [trueWords, true],
  [falseWords, false],
] as const) {
  test(`${words.join(", ")} are ${value} in lower, upper and capitalised form, and so are the JSON ones`, () => {
    for (const word of words.flatMap((each) => [each, each.toUpperCase(), capitalise(each)])) {
      expect(read(declare.boolean(), word)).toEqual({ x: value });
    }
    expect(read(declare.boolean(), value)).toEqual({ x: value });
    expect(read(declare.boolean(), value ? 1 : 0)).toEqual({ x: value });
  });
}

for (const sent of ["maybe", "tRUE", "2", 2, "truee", [true], {}]) {
  test(`${JSON.stringify(sent)} is no boolean`, () => {
    expect(errorOf(declare.boolean(), sent)).toBe("x is invalid");
  });
}

test("numbers and booleans of JSON become texts, and texts stay as they are", () => {
  expect(read(declare.text(), 30)).toEqual({ x: "30" });
  expect(read(declare.text(), 1.5)).toEqual({ x: "1.5" });
  expect(read(declare.text(), true)).toEqual({ x: "true" });
  expect(read(declare.text(), " a ")).toEqual({ x: " a " });
  expect(read(declare.text(), "")).toEqual({ x: "" });
});

test("an array, a hash or a file is no text", () => {
  const file = new FilePart({ filename: "a", bytes: new Uint8Array() });
  for (const sent of [["a"], {}, { a: "b" }, file]) expect(errorOf(declare.text(), sent)).toBe("x is invalid");
});

test("floats are numbers or their texts", () => {
  for (const [sent, value] of [
    ["1.5", 1.5],
    ["-.5", -0.5],
    ["3", 3],
    ["1e3", 1000],
    [0.1, 0.1],
  ] as const) {
    expect(read(declare.float(), sent)).toEqual({ x: value });
  }
  for (const sent of ["abc", "1.5.2", "NaN", "Infinity", "1e999", true, []]) {
    expect(errorOf(declare.float(), sent)).toBe("x is invalid");
  }
});

for (const [sent, value] of [
  ["2024-10-02", "2024-10-02T00:00:00.000Z"],
  ["2024-10-02T08:11:30Z", "2024-10-02T08:11:30.000Z"],
  ["2024-10-02 08:11:30Z", "2024-10-02T08:11:30.000Z"],
  ["2024-10-02T08:11:30.114+02:00", "2024-10-02T06:11:30.114Z"],
  ["2024-10-02T08:11:30-0230", "2024-10-02T10:41:30.000Z"],
] as const) {
  test(`the datetime ${sent} is ${value}`, () => {
    expect(read(declare.dateTime(), sent)).toEqual({ x: value });
  });
}

test("a datetime's plus must be encoded in a query", () => {
  const schema = compileParameters(Type.Object({ x: declare.dateTime() }));
  expect(schema(readQuery("x=2024-10-02T08:00:00%2B02:00"), {})).toEqual({ x: "2024-10-02T06:00:00.000Z" });
  expect(failureOf(() => schema(readQuery("x=2024-10-02T08:00:00+02:00"), {})).body.error).toBe("x is invalid");
});

for (const sent of ["foo", "2024-10-32", "2024-13-01", "2024-02-30", "2024-10-02T25:00:00Z", 20241002, [], true]) {
  test(`${JSON.stringify(sent)} is no datetime`, () => {
    expect(errorOf(declare.dateTime(), sent)).toBe("x is invalid");
  });
}

test("a date is YYYY-MM-DD of a day that exists", () => {
  expect(read(declare.date(), "2024-02-29")).toEqual({ x: "2024-02-29" });
  for (const sent of ["2023-02-29", "2024-2-9", "2024-10-02T00:00:00Z", "today", 5]) {
    expect(errorOf(declare.date(), sent)).toBe("x is invalid");
  }
});

test("a day that takes a time is the written one", () => {
  const written = ["2024-02-29", " 2024-02-29T23:30:00.5-05:00", "2024-02-29 00:30:00+1400", "2024-02-29T12:00Z"];
  for (const sent of written) expect(read(declare.writtenDate(), sent)).toEqual({ x: "2024-02-29" });
  for (const sent of ["2024-02-30T00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29x", "tomorrow"]) {
    expect(errorOf(declare.writtenDate(), sent)).toBe("x is invalid");
  }
});

test("an enumeration takes exact members only", () => {
  const order = declare.oneOf(["asc", "desc"]);
  expect(read(order, "asc")).toEqual({ x: "asc" });
  for (const sent of ["ASC", "", "up", 1]) expect(errorOf(order, sent)).toBe("x does not have a valid value");
  expect(errorOf(order, ["asc"])).toBe("x is invalid");
  expect(read(declare.oneOf(["only"]), "only")).toEqual({ x: "only" });
  expect(errorOf(declare.oneOf(["only"]), "other")).toBe("x does not have a valid value");
});

test("an enumeration of numbers takes them as text too, and other texts are no numbers", () => {
  const level = declare.oneOf([0, 10, 30]);
  expect(read(level, "30")).toEqual({ x: 30 });
  expect(read(level, 0)).toEqual({ x: 0 });
  expect(errorOf(level, "31")).toBe("x does not have a valid value");
  expect(errorOf(level, "abc")).toBe("x is invalid");
});

const nonTexts = {
  integer: declare.integer(),
  float: declare.float(),
  boolean: declare.boolean(),
  datetime: declare.dateTime(),
  date: declare.date(),
  list: declare.list(declare.text()),
  hash: declare.hash({}),
  map: declare.textMap(),
  upload: declare.upload(),
  "numeric enumeration": declare.oneOf([1, 2]),
};
for (const [name, schema] of Object.entries(nonTexts)) {
  test(`for an optional ${name}, null and an empty text count as not given`, () => {
    expect(read(optional(schema), "")).toEqual({});
    expect(read(optional(schema), null)).toEqual({});
    expect("x" in Object(read(optional(schema), null))).toBe(false);
  });

  test(`for a nullable ${name}, null and an empty text clear`, () => {
    expect(read(optional(nullable(schema)), "")).toEqual({ x: null });
    expect(read(nullable(schema), null)).toEqual({ x: null });
  });
}

test("for a nullable text null clears and an empty text is one", () => {
  expect(read(nullable(declare.text()), null)).toEqual({ x: null });
  expect(read(nullable(declare.text()), "")).toEqual({ x: "" });
  expect(read(nullable(declare.oneOf(["a"])), "")).toEqual({ x: null });
  expect(read(nullable(declare.oneOf(["a"])), "a")).toEqual({ x: "a" });
});

test("an optional text that is null counts as not given", () => {
  expect(read(optional(declare.text()), null)).toEqual({});
});

test("a nullable type still checks what is not null", () => {
  expect(read(nullable(declare.integer()), "5")).toEqual({ x: 5 });
  expect(errorOf(nullable(declare.integer()), "abc")).toBe("x is invalid");
  expect(errorOf(nullable(declare.oneOf(["a"])), "b")).toBe("x does not have a valid value");
});

test("a single text is split at commas where that is declared, parts trimmed, empty ones dropped", () => {
  const ids = declare.list(declare.integer(), { split: true });
  expect(read(ids, "1, 2,3,,")).toEqual({ x: [1, 2, 3] });
  expect(read(ids, ["1", "2,3"])).toEqual({ x: [1, 2, 3] });
  expect(read(ids, [1, 2])).toEqual({ x: [1, 2] });
  expect(read(ids, 5)).toEqual({ x: [5] });
  expect(read(declare.list(declare.text(), { split: true }), " a , b c ,,")).toEqual({ x: ["a", "b c"] });
  expect(read(declare.list(declare.text()), "a,b")).toEqual({ x: ["a,b"] });
});

test("elements are checked, and reported under the array's name, once", () => {
  expect(errorOf(declare.list(declare.integer(), { split: true }), "1,foo,bar")).toBe("x is invalid");
  expect(errorOf(declare.list(declare.integer()), ["1", "foo"])).toBe("x is invalid");
  const scopes = declare.list(declare.oneOf(["api", "sudo"]), { split: true });
  expect(errorOf(scopes, ["api", "root"])).toBe("x does not have a valid value");
  expect(errorOf(declare.list(declare.text()), [["a"]])).toBe("x is invalid");
  expect(errorOf(declare.list(declare.text()), { a: "b" })).toBe("x is invalid");
});

test("an empty element of an array of numbers is dropped", () => {
  expect(read(declare.list(declare.integer()), [""])).toEqual({ x: [] });
  expect(read(declare.list(declare.text()), [""])).toEqual({ x: [""] });
});

test("numbered elements are an array, sorted, with gaps closed", () => {
  const reader = compileParameters(Type.Object({ x: declare.list(declare.hash({ k: declare.integer() })) }));
  expect(reader(readQuery("x[7][k]=2&x[0][k]=1"), {})).toEqual({ x: [{ k: 1 }, { k: 2 }] });
  expect(reader(readQuery("x[][k]=1&x[][k]=2"), {})).toEqual({ x: [{ k: 1 }, { k: 2 }] });
});

test("a map keeps keys of the caller's choice, numbers and prototype names among them", () => {
  const reader = compileParameters(Type.Object({ x: declare.textMap() }));
  expect(reader(readQuery("x[1]=a&x[b]=c"), {})).toEqual({ x: { "1": "a", b: "c" } });
  const { x } = reader(readQuery("x[__proto__]=a"), {});
  expect(Object.keys(Object(x))).toEqual(["__proto__"]);
  expect(errorOf(declare.textMap(), "a")).toBe("x is invalid");
  expect(errorOf(declare.textMap(), { a: ["b"] })).toBe("x is invalid");
});

test("a file part is an upload and nothing else is", () => {
  const file = new FilePart({ filename: "face.png", bytes: new Uint8Array([1]) });
  expect(read(declare.upload(), file)).toEqual({ x: file });
  expect(errorOf(declare.upload(), "face.png")).toBe("x is invalid");
  expect(errorOf(declare.upload(), { filename: "a", bytes: [1] })).toBe("x is invalid");
});

test("a union takes the first alternative that fits", () => {
  const idOrName = Type.Union([declare.integer(), declare.text()]);
  expect(read(idOrName, "5")).toEqual({ x: 5 });
  expect(read(idOrName, "five")).toEqual({ x: "five" });
  expect(errorOf(idOrName, ["five"])).toBe("x is invalid");
});

test("a parameter without a type is passed on unchanged", () => {
  expect(read(Type.Unknown(), { a: [1, null] })).toEqual({ x: { a: [1, null] } });
  expect(read(Type.Any(), null)).toEqual({ x: null });
});

test("an unsupported type is an error of the declaration", () => {
  expect(() => read(Type.BigInt(), "1")).toThrow("no parameter can be declared as");
});

test("ranges and text constraints are checked", () => {
  expect(read(declare.integer({ minimum: 1, maximum: 5 }), "5")).toEqual({ x: 5 });
  expect(errorOf(declare.integer({ minimum: 1, maximum: 5 }), "6")).toBe("x does not have a valid value");
  expect(errorOf(declare.float({ minimum: 0 }), -0.1)).toBe("x does not have a valid value");
  expect(read(declare.text({ maxLength: 3, pattern: "^a" }), "abc")).toEqual({ x: "abc" });
  expect(errorOf(declare.text({ maxLength: 3 }), "abcd")).toBe("x is too long (maximum is 3 characters)");
  expect(errorOf(declare.text({ pattern: "^a" }), "b")).toBe("x is invalid");
  expect(errorOf(optional(nullable(declare.integer({ minimum: 1 }))), "0")).toBe("x does not have a valid value");
});

test("an id in a path with too many digits is an unknown id", () => {
  const reader = compileParameters(Type.Object({ id: declare.idInPath("the user") }));
  expect(reader(emptyValues(), { id: "9".repeat(40) })).toEqual({ id: Number.MAX_SAFE_INTEGER });
});

test("a plain integer in a path that is no number is invalid", () => {
  const reader = compileParameters(Type.Object({ trigger_id: declare.integer() }));
  expect(failureOf(() => reader(emptyValues(), { trigger_id: "abc" })).body.error).toBe("trigger_id is invalid");
});

test("the path wins over query and body", () => {
  const reader = compileParameters(Type.Object({ id: declare.text() }));
  expect(reader(readQuery("id=<built-in function id>"), { id: "grp/p" })).toEqual({ id: "grp/p" });
});

test("undeclared parameters are ignored, and case matters", () => {
  const reader = compileParameters(Type.Object({ name: optional(declare.text()) }));
  expect(reader(readQuery("Name=a&other[]=1&constructor=2"), {})).toEqual({});
});

test("in any declared hash, members of a prototype do not count", () => {
  const reader = compileParameters(Type.Object({ x: declare.hash({ toString: optional(Type.Unknown()) }) }));
  expect(Object.keys(Object(reader(Object.assign(emptyValues(), { x: JSON.parse("{}") }), {}).x))).toEqual([]);
});

test("reading never throws anything but a Failure, and returns the declared types", () => {
  const schema = Type.Object({
    a: optional(declare.integer()),
    b: optional(declare.boolean()),
    c: optional(declare.list(declare.integer(), { split: true })),
    d: optional(declare.hash({ e: declare.text(), f: optional(declare.list(declare.hash({ g: declare.date() }))) })),
    h: optional(declare.dateTime()),
    i: optional(declare.textMap()),
  });
  const reader = compileParameters(schema);
  const sent = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "h", "i"), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(sent, (values) => {
      const raw = Object.assign(emptyValues(), JSON.parse(JSON.stringify(values)));
      const outcome = (() => {
        try {
          return reader(raw, {});
        } catch (thrown) {
          return String(thrown);
        }
      })();
      if (typeof outcome === "string") return expect(outcome).toMatch(/^Failure: /);
      if ("a" in outcome) expect(Number.isSafeInteger(outcome.a)).toBe(true);
      if ("b" in outcome) expect(typeof outcome.b).toBe("boolean");
      if ("c" in outcome) expect([outcome.c].flat().every(Number.isSafeInteger)).toBe(true);
      expect(Object.values(outcome)).not.toContain(undefined);
    }),
  );
});
