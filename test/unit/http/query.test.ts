import { expect, test } from "bun:test";
import fc from "fast-check";
import { numberedItems } from "../../../src/http/body/brackets.ts";
import { readForm as formSteps, readPairs, readQuery } from "../../../src/http/body/query.ts";
import { isHash, mergeValues, type RawValue } from "../../../src/http/params/values.ts";
import { takeAtOnce } from "../../../src/lib/yield.ts";
import { failureOf } from "./failures.ts";

const readForm = (bytes: Uint8Array) => takeAtOnce(formSteps(bytes));

/** Compares content, not prototypes: raw values have none. */
function expectValues(search: string, expected: unknown): void {
  expect(JSON.parse(JSON.stringify(readQuery(search)))).toEqual(expected);
}

function numbered(value: RawValue | undefined): RawValue[] | undefined {
  return isHash(value) ? numberedItems(value) : undefined;
}

test("plain pairs are read, escapes once, and a plus is a space", () => {
  expectValues("per_page=20&page=2", { per_page: "20", page: "2" });
  expectValues("search=a+b%2Bc%20d%252F&q=%C3%A9", { search: "a b+c d%2F", q: "é" });
});

test("nothing, empty pairs and stray ampersands are no parameters", () => {
  expectValues("", {});
  expectValues("&&a=1&", { a: "1" });
});

test("an empty value is an empty text, a key without a value is null, and only the first equals sign cuts", () => {
  expectValues("a=&b&c=d=e", { a: "", b: null, c: "d=e" });
});

test("the last value of a repeated plain key counts", () => {
  expectValues("user_ids=1&user_ids=2", { user_ids: "2" });
});

test("empty brackets make an array, encoded or not", () => {
  expectValues("iids[]=1&iids[]=2", { iids: ["1", "2"] });
  expectValues("iids%5B%5D=1&iids%5b%5d=2", { iids: ["1", "2"] });
});

test("an array may hold fifty thousand elements and not one more", () => {
  const pairs = Array.from({ length: 50_000 }, (_, index) => `a[]=${index}`).join("&");
  expect(readPairs(pairs).a).toHaveLength(50_000);
  expect(failureOf(() => readPairs(`${pairs}&a[]=x`)).body).toEqual({ error: "Array parameter too large" });
});

test("a key in brackets makes a hash", () => {
  expectValues("variables[a]=b%20c&variables[d]=e", { variables: { a: "b c", d: "e" } });
  expectValues("a[b][c]=1&a[b][d][]=2", { a: { b: { c: "1", d: ["2"] } } });
});

test("numbered elements are sorted by number and gaps are closed", () => {
  const { name } = readQuery("name[10][k]=x&name[2][k]=w&name[2][j]=v&name[900000][k]=y");
  expect(JSON.parse(JSON.stringify(numbered(name)))).toEqual([{ k: "w", j: "v" }, { k: "x" }, { k: "y" }]);
});

test("a hash with one key that is no number is no array", () => {
  expect(numbered(readQuery("v[0]=a&v[b]=c").v)).toBeUndefined();
  expect(numbered(readQuery("v=a").v)).toBeUndefined();
  expect(numberedItems({})).toBeUndefined();
});

test("with empty brackets a new element starts when a key repeats", () => {
  expectValues("n[][k]=1&n[][j]=2&n[][k]=3&n[][j]=4", {
    n: [
      { k: "1", j: "2" },
      { k: "3", j: "4" },
    ],
  });
  expectValues("n[][k][]=1&n[][k][]=2&n[][j]=3", { n: [{ k: ["1", "2"], j: "3" }] });
  expectValues("n[][a][b]=1&n[][a][c]=2&n[][a][b]=3", { n: [{ a: { b: "1", c: "2" } }, { a: { b: "3" } }] });
});

test("of two shapes under one name the later wins", () => {
  expectValues("a=1&a[b]=2", { a: { b: "2" } });
  expectValues("a[b]=2&a=1", { a: "1" });
  expectValues("a[]=1&a[b]=2", { a: { b: "2" } });
});

test("brackets that are not closed, or have no name before them, belong to the name", () => {
  expectValues("a[b=1&c]=2&[d]=3", { "a[b": "1", "c]": "2", "[d]": "3" });
});

test("names of prototype members are names like any other", () => {
  const values = readQuery(
    "__proto__[polluted]=1&constructor=2&a[__proto__][polluted]=3&a[toString]=4&hasOwnProperty=5",
  );
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(Object.keys(values)).toEqual(["__proto__", "constructor", "a", "hasOwnProperty"]);
  expect(readQuery("").constructor).toBeUndefined();
});

for (const [what, search] of [
  ["a NUL in a value", "a=%00"],
  ["a NUL in a key", "a%00=1"],
  ["bytes that are not UTF-8", "a=%FF"],
  ["what Bun puts in the place of raw bad bytes", "a=%EF%BF%BD"],
  ["a broken escape", "a=100%"],
]) {
  test(`a query with ${what} is a bad request`, () => {
    expect(failureOf(() => readQuery(search ?? "")).body).toEqual({ error: "Bad Request" });
  });
}

test("a form may hold U+FFFD, since its bytes were seen", () => {
  expect(readPairs("a=%EF%BF%BD").a).toBe("\uFFFD");
});

test("nesting ends at 32 levels of brackets", () => {
  expect(readPairs(`a${"[b]".repeat(32)}=1`).a).toBeDefined();
  expect(failureOf(() => readPairs(`a${"[b]".repeat(33)}=1`)).body).toEqual({ error: "Parameters nested too deeply" });
});

test("a key may have 1,024 characters and not one more, decoded or not, with brackets or without", () => {
  const tooLong = { error: "Parameter name too long" };
  const longest = "k".repeat(1024);
  expect(readPairs(`${longest}=1`)[longest]).toBe("1");
  expect(readPairs(`${"%6B".repeat(1024)}=1`)[longest]).toBe("1");
  for (const key of [`${longest}k`, "%6B".repeat(1025), `a[${longest}]`, "a[]".repeat(400), "+".repeat(5_000)]) {
    expect(failureOf(() => readPairs(`${key}=1`)).body).toEqual(tooLong);
    expect(failureOf(() => readPairs(key)).body).toEqual(tooLong);
  }
});

test("a form is read of its bytes: raw ones, escapes and spaces side by side", () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("+", "%", " ", "ä", "😀")));
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.boolean()), (parts, isEscaped) => {
      const text = parts.join("").replaceAll("\0", "").toWellFormed();
      const reserved = /[%&+=]/;
      const written = [...text].map((sign) => {
        if (sign === " " && isEscaped.next().value) return "+";
        return isEscaped.next().value || reserved.test(sign) ? encodeURIComponent(sign) : sign;
      });
      expect(readForm(Buffer.from(`text=${written.join("")}&b`))).toEqual(
        Object.assign(Object.create(null), { text, b: null }),
      );
    }),
  );
});

for (const [what, form] of [
  ["raw bytes that are not UTF-8", [0x61, 0x3d, 0xff]],
  ["half a character", [0x61, 0x3d, 0xc3]],
  ["half of a surrogate pair", Buffer.from("a=%ED%A0%80")],
  ["a raw NUL", [0x61, 0x3d, 0]],
  ["an escape that is cut off", Buffer.from("a=%4")],
  ["an escape that is no number", Buffer.from("a=%4g")],
  ["bad bytes in a key", [0xff, 0x3d, 0x61]],
] as const) {
  test(`a form with ${what} is a bad request`, () => {
    expect(failureOf(() => readForm(Uint8Array.from(form))).body).toEqual({ error: "Bad Request" });
  });
}

test("more than a hundred thousand pairs are refused", () => {
  const pairs = "a=1&".repeat(100_000);
  expect(readPairs(pairs).a).toBe("1");
  expect(failureOf(() => readPairs(`${pairs}b=2`)).body).toEqual({ error: "Too many total parameters" });
});

test("each array or hash inside of another counts as an element, as in JSON", () => {
  const nested = (count: number) => Array.from({ length: count }, (_, at) => `a[${at}]${"[x]".repeat(19)}=1`).join("&");
  expect(Object.keys(readPairs(nested(5_000)).a ?? {})).toHaveLength(5_000);
  expect(failureOf(() => readPairs(nested(5_001))).body).toEqual({ error: "Too many total parameters" });
});

test("the body wins over the query", () => {
  const merged = mergeValues(readQuery("a=1&b=2"), readQuery("b=3&c=4"));
  expect(JSON.stringify(merged)).toBe('{"a":"1","b":"3","c":"4"}');
});

test("any flat pairs that URLSearchParams writes are read back", () => {
  const word = fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed() && !/[\0\uFFFD]/.test(text));
  const key = word.filter((text) => text !== "" && !text.includes("["));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, word)), (pairs) => {
      const expected = new Map(pairs);
      expect(new Map(Object.entries(readQuery(`${new URLSearchParams(pairs)}`)))).toEqual(
        new Map<string, RawValue>(expected),
      );
    }),
  );
});

test("any arrays of hashes that are written with numbers or without are read back", () => {
  const item = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^\w*$/), { minKeys: 1 });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (items) => {
      const withNumbers = items.flatMap((each, at) => Object.entries(each).map(([k, v]) => `n[${at * 3}][${k}]=${v}`));
      const read = numbered(readQuery(withNumbers.reverse().join("&")).n);
      expect(JSON.parse(JSON.stringify(read))).toEqual(items);
      const same = items.map((each) => ({ key: "x", ...each }));
      const without = same.flatMap((each) => Object.entries(each).map(([k, v]) => `n[][${k}]=${v}`));
      expect(JSON.stringify(readQuery(without.join("&")).n)).toBe(JSON.stringify(same));
    }),
  );
});

test("pairs without anything in them are bounded, too", () => {
  expect(readPairs("&".repeat(200_000))).toEqual({});
  expect(() => readPairs("&".repeat(200_001))).toThrow("Too many total parameters");
});
