import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkJsonLimits } from "../../../../src/http/body/json-limits.ts";

const check = (json: string) => () => checkJsonLimits(new TextEncoder().encode(json));
/** Written by the escapes that JSON has, or cut off; long ones are looked through in another way than short ones. */
const part = fc.constantFrom('"', "\\", "\n", "[", "{", ",", "é", "🙂", "a".repeat(31), "[".repeat(62), "z".repeat(90));
const text = fc.array(part, { maxLength: 60 }).map((parts) => JSON.stringify(parts.join("")));
const tooDeep = "[".repeat(33) + "]".repeat(33);

test("property: the content of a string does not count, and the string ends at its quote", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      expect(check(`{"texts":[${texts}],"end":1}`)).not.toThrow();
      expect(check(`{"texts":[${texts}],"end":${tooDeep}}`)).toThrow();
    }),
    { numRuns: 500 },
  );
});

test("property: an unterminated string is left to the parser", () => {
  fc.assert(
    fc.property(text, fc.nat(100), (given, cut) => {
      expect(check(`{"text":${given.slice(0, Math.max(1, given.length - 1 - cut))}`)).not.toThrow();
    }),
    { numRuns: 200 },
  );
});

test("bytes outside of texts are bounded: digits, white space", () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const most = 4 << 20;
  expect(() => checkJsonLimits(bytesOf(`{"a":1}${" ".repeat(most - 10)}`))).not.toThrow();
  for (const text of [" ".repeat(most + 1), `[${"9".repeat(most)}]`]) {
    expect(() => checkJsonLimits(bytesOf(text))).toThrow("JSON body too large");
  }
  expect(() => checkJsonLimits(bytesOf(`"${"x".repeat(2 * most)}"`))).not.toThrow();
});
