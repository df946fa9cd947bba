import { systemClock } from "../../../../src/domain/clock.ts";
import { type BodyRule, readBody } from "../../../../src/http/body/body.ts";
import { Load } from "../../../../src/modules/kernel/request-load.ts";
import { many, mebibyte, type WorstInput, worst } from "./input.ts";

const rule: BodyRule = {
  sender: { load: new Load(), address: undefined, isStranger: false, clock: systemClock, onAnswered: (end) => end() },
  formBytesMax: 16 * mebibyte,
  multipartBytesMax: 100 * mebibyte,
  refuseStranger: () => {
    throw new Error("the sender is known");
  },
};

function body(contentType: string, make: () => string) {
  return () => {
    const bytes = Buffer.from(make());
    const headers = { "content-type": contentType, "content-length": String(bytes.length) };
    return () => readBody(new Request("http://localhost/", { method: "POST", headers, body: bytes }), rule);
  };
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=B";
const part = (attributes: string, content: string) =>
  `--B\r\nContent-Disposition: form-data; name="a[]"${attributes}\r\n\r\n${content}\r\n`;
const parts = (count: number, attributes: string, content: string) => () =>
  `${part(attributes, content).repeat(count)}--B--\r\n`;

export const bodyInputs: readonly WorstInput[] = [
  worst(
    "JSON: a step for a byte",
    "49,000 arrays",
    body(json, () => `{"a":[${many(49_000, () => "[]").join(",")}]}`),
  ),
  worst(
    "JSON: a step for a byte",
    "49,000 keys",
    body(json, () => `{${many(49_000, (at) => `"${at.toString(36)}":1`).join(",")}}`),
  ),
  worst(
    "JSON: a step for a byte",
    "a text of escapes",
    body(json, () => `{"a":"${"\\u00e9".repeat(mebibyte)}"}`),
  ),
  worst(
    "form: a step for a byte",
    "50,000 items",
    body(form, () => many(50_000, () => "a[]=").join("&")),
  ),
  worst(
    "form: a step for a byte",
    "30,000 hashes",
    body(form, () => many(30_000, (at) => `a[${at}][k]=`).join("&")),
  ),
  worst(
    "form: a step for a byte",
    "a text of spaces",
    body(form, () => `a=${"+".repeat(4 * mebibyte)}`),
  ),
  worst("multipart", "9,900 texts", body(multipart, parts(9_900, "", ""))),
  worst("multipart", "9,900 files", body(multipart, parts(9_900, '; filename="x"', ""))),
  worst("multipart", "a text of 16 MiB", body(multipart, parts(1, "", "é".repeat(8 * mebibyte)))),
  worst("multipart", "300 files of 65 kB", body(multipart, parts(300, '; filename="x"', "z".repeat(65_000)))),
  worst(
    "multipart",
    "a file that nearly is the boundary",
    body(
      "multipart/form-data; boundary=--a--",
      () =>
        `----a--\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n${"-".repeat(48 * mebibyte)}\r\n----a----\r\n`,
    ),
  ),
];
