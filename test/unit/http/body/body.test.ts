import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../../src/domain/failure.ts";
import { entityTooLarge, hasBody, readBody } from "../../../../src/http/body/body.ts";
import { readBytes } from "../../../../src/http/body/body-bytes.ts";
import { FilePart } from "../../../../src/http/params/values.ts";
import { failureOfAsync } from "../failures.ts";
import { known, ruleFor } from "./senders.ts";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const mebibyte = 1024 * 1024;

type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function request(body: Content, contentType?: string, method = "POST"): Request {
  const made = new Request("http://gl/api/v4/users", { method, body });
  if (contentType === undefined) made.headers.delete("content-type");
  else made.headers.set("content-type", contentType);
  return made;
}

async function valuesOf(body: Content, contentType?: string, method?: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await readBody(request(body, contentType, method), ruleFor(known))));
}

async function refusalOf(body: Content, contentType?: string, method?: string): Promise<unknown> {
  const { kind, body: answer } = await failureOfAsync(() =>
    readBody(request(body, contentType, method), ruleFor(known)),
  );
  return { kind, ...answer };
}

const bad = (error: string) => ({ kind: "parameters", error });

test("a JSON object is read, with and without a charset, whatever the case of the type", async () => {
  expect(await valuesOf('{"a":1,"b":[true,null]}', json)).toEqual({ a: 1, b: [true, null] });
  expect(await valuesOf('{"a":1}', "Application/JSON; charset=utf-8")).toEqual({ a: 1 });
});

for (const body of ["[1]", '"a"', "5", "null", "true"]) {
  test(`JSON that is ${body} counts as no parameters`, async () => {
    expect(await valuesOf(body, json)).toEqual({});
  });
}

test("an empty body has no parameters, whatever its type says", async () => {
  for (const type of [json, form, "multipart/form-data", "multipart/form-data; boundary=x", "image/png", undefined]) {
    expect(await valuesOf("", type)).toEqual({});
    expect(await valuesOf(new ReadableStream({ start: (controller) => controller.close() }), type)).toEqual({});
  }
});

test("a GET without a body has none, whatever its type says", async () => {
  const get = new Request("http://gl/", { headers: { "content-type": json } });
  expect(hasBody(get)).toBe(false);
  expect(Object.keys(await readBody(get, ruleFor(known)))).toEqual([]);
});

test("a DELETE may have a body", async () => {
  expect(await valuesOf("{}", json, "DELETE")).toEqual({});
  expect(await valuesOf('{"hard_delete":true}', json, "DELETE")).toEqual({ hard_delete: true });
  expect(hasBody(request("{}", json, "DELETE"))).toBe(true);
});

for (const body of ["{", "{a:1}", "nonsense", '{"a":1}}', '{"a":"\u0001"}', "[".repeat(20), "]"]) {
  test(`${JSON.stringify(body)} is not JSON and is refused with a reason`, async () => {
    expect(await refusalOf(body, json)).toEqual(bad("The request body is not valid JSON"));
  });
}

test("a form is read: plus is a space, brackets nest", async () => {
  expect(await valuesOf("a=b+c&d[]=1&d[]=2&e[f]=g%20h", form)).toEqual({ a: "b c", d: ["1", "2"], e: { f: "g h" } });
});

test("a body without a type is read as a form", async () => {
  expect(await valuesOf("a=1")).toEqual({ a: "1" });
});

test("a multipart body is read: brackets nest, an empty text stays, file parts become uploads", async () => {
  const parts = new FormData();
  parts.append("name", "a+b%20");
  parts.append("empty", "");
  parts.append("tags[]", "x");
  parts.append("tags[]", "y");
  parts.append("variables[A]", "1");
  parts.append("avatar", new File([new Uint8Array([0, 255, 1])], "face.png", { type: "image/png" }));
  const values = await readBody(new Request("http://gl/", { method: "PUT", body: parts }), ruleFor(known));
  const { avatar, ...texts } = values;
  expect(JSON.parse(JSON.stringify(texts))).toEqual({
    name: "a+b%20",
    empty: "",
    tags: ["x", "y"],
    variables: { A: "1" },
  });
  expect(avatar).toBeInstanceOf(FilePart);
  expect(avatar).toMatchObject({ filename: "face.png" });
  expect(avatar instanceof FilePart && [...avatar.bytes]).toEqual([0, 255, 1]);
});

test("a multipart body that can't be read is refused with a reason", async () => {
  expect(await refusalOf("junk", "multipart/form-data; boundary=x")).toEqual(bad("The multipart body can't be read"));
  expect(await refusalOf("junk", "multipart/form-data")).toEqual(bad("The multipart body can't be read"));
});

for (const type of ["multipart/form-data; boundary=x", 'multipart/form-data; charset=utf-8; Boundary="x"']) {
  test(`more than ten thousand parts of ${type} are refused before they are parsed`, async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    expect(await valuesOf(`${part.repeat(10_000)}--x--\r\n`, type)).toEqual({ a: "" });
    const parse = spyOn(Response.prototype, "formData");
    expect(await refusalOf(`${part.repeat(10_001)}--x--\r\n`, type)).toEqual(bad("Too many total parameters"));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
}

test("another type is refused with 415 and its name without parameters, where a body matters", async () => {
  const unsupported = { kind: "unsupported_type", error: "The provided content-type 'image/png' is not supported." };
  for (const method of ["POST", "PUT", "PATCH"]) {
    expect(await refusalOf("x", "image/png; q=1", method)).toEqual(unsupported);
  }
  expect(await valuesOf("x", "image/png", "DELETE")).toEqual({});
});

test("JSON may nest 32 levels and not 33", async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
  expect(await valuesOf(nested(32), json)).toHaveProperty("a");
  expect(await refusalOf(nested(33), json)).toEqual(bad("Parameters nested too deeply"));
  expect(await refusalOf("[".repeat(100_000), json)).toEqual(bad("Parameters nested too deeply"));
});

const items = (count: number) => `[${Array(count).fill("1").join(" , ")}]`;
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(",")}}`;

test("a JSON array may hold 50,000 items and not one more", async () => {
  expect(await valuesOf(`{"a":${items(50_000)}}`, json)).toHaveProperty("a");
  expect(await refusalOf(`{"a":${items(50_001)}}`, json)).toEqual(bad("Array parameter too large"));
});

test("a JSON object may hold 50,000 keys and not one more", async () => {
  expect(await valuesOf(members(50_000), json)).toHaveProperty("k1");
  expect(await refusalOf(members(50_001), json)).toEqual(bad("Hash parameter too large"));
});

test("JSON may hold 100,000 elements in all and not one more", async () => {
  const halves = (rest: number) => `{"a":${items(50_000)},"b":${items(49_996)},"c":[ ],"d":${items(rest)}}`;
  expect(await refusalOf(halves(1), json)).toEqual(bad("Too many total parameters"));
  expect(await valuesOf(`{"a":${items(50_000)},"b":${items(49_996)},"c":[ ],"d":{ }}`, json)).toHaveProperty("d");
});

test("brackets, commas and quotes inside of strings do not count", async () => {
  const text = `${"[{,".repeat(100)}\\"${"[{,".repeat(100)}\\\\`;
  expect(await valuesOf(`{"a":"${text}","b":[1]}`, json)).toMatchObject({ b: [1] });
});

test("JSON over 16 MiB is refused, declared or not", async () => {
  const text = (size: number) => `{"a":"${"x".repeat(size - 8)}"}`;
  expect(await valuesOf(text(16 * mebibyte), json)).toHaveProperty("a");
  expect(await refusalOf(text(16 * mebibyte + 1), json)).toEqual(bad("JSON body too large"));
  const declared = request("{}", json);
  declared.headers.set("content-length", `${16 * mebibyte + 1}`);
  expect((await failureOfAsync(() => readBody(declared, ruleFor(known)))).body).toEqual({
    error: "JSON body too large",
  });
});

test("a form of 16 MiB is read, and none of a byte more", async () => {
  const filled = (size: number) => `a=${"+".repeat(size - 2)}`;
  expect(await valuesOf(filled(16 * mebibyte), form)).toEqual({ a: " ".repeat(16 * mebibyte - 2) });
  const tooLarge = { kind: "too_large", message: "413 Request Entity Too Large" };
  expect(await refusalOf(filled(16 * mebibyte + 1), form)).toEqual(tooLarge);
});

for (const type of [json, form, undefined, "multipart/form-data; boundary=x"]) {
  test(`a body of type ${type} that declares more than 100 MiB is refused unread`, async () => {
    const large = request("a=1", type);
    large.headers.set("content-length", `${100 * mebibyte + 1}`);
    const { kind, body } = await failureOfAsync(() => readBody(large, ruleFor(known)));
    expect([kind, body]).toEqual(["too_large", { message: "413 Request Entity Too Large" }]);
  });
}

test("a form of unknown length is cut off when it passes 16 MiB", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(mebibyte).fill(0x61));
    },
    cancel() {
      cancelled = true;
    },
  });
  expect(await refusalOf(endless, form)).toEqual({ kind: "too_large", message: "413 Request Entity Too Large" });
  expect(pulled).toBeLessThan(20);
  expect(cancelled).toBe(true);
});

test("a body in pieces of one byte is not held as so many, and gives way to others", async () => {
  const text = "a=".padEnd(500, "b");
  let sent = 0;
  const pieces = new ReadableStream({
    pull(controller) {
      if (sent === text.length) controller.close();
      else controller.enqueue(Buffer.from(text[sent++] as string));
    },
  });
  const concat = spyOn(Buffer, "concat");
  let turns = 0;
  const others = () => {
    turns += 1;
    if (sent < text.length) setImmediate(others);
  };
  setImmediate(others);
  expect(await valuesOf(pieces, form)).toEqual({ a: text.slice(2) });
  expect(concat.mock.calls[0]?.[0].length).toBe(1);
  concat.mockRestore();
  // The runtime joins the pieces that come meanwhile.
  expect(turns).toBeGreaterThan(text.length / 2);
});

const badBytes = new Uint8Array([0x61, 0x3d, 0xff]);
const multipart = (bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
    bytes,
    Buffer.from("\r\n--x--\r\n"),
  ]);

for (const [what, body, type] of [
  ["a form with a NUL", "a=%00", form],
  ["a form with a raw NUL", "a=\0", form],
  ["a form that is not UTF-8", badBytes, form],
  ["a form with an escape that is not UTF-8", "a=%FF", form],
  ["JSON with a NUL", '{"a":{"b":["\\u0000"]}}', json],
  ["JSON with a NUL in a key", '{"\\u0000":1}', json],
  ["JSON with half a surrogate pair", '{"a":"\\ud800"}', json],
  ["JSON that is not UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), json],
  ["a multipart text with a NUL", multipart(Buffer.from("\0")), "multipart/form-data; boundary=x"],
  ["a multipart text that is not UTF-8", multipart(badBytes), "multipart/form-data; boundary=x"],
] as const) {
  test(`${what} is a bad request`, async () => {
    expect(await refusalOf(body, type)).toEqual(bad("Bad Request"));
  });
}

test("prototype keys in JSON are harmless", async () => {
  const hostile =
    '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1},"\\u005f_proto__":2,"b":3},"constructor":4}';
  const values = await readBody(request(hostile, json), ruleFor(known));
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(Object.keys(values)).toEqual(["a", "constructor"]);
  expect(JSON.stringify(values.a)).toBe('{"b":3}');
});

test("of a repeated JSON key the last value counts", async () => {
  expect(await valuesOf('{"a":1,"a":2}', json)).toEqual({ a: 2 });
});

test("any JSON object that is written is read back", async () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map((any) => ({ any }));
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(0, 2), async (sent, indent) => {
      const text = JSON.stringify(sent, null, indent);
      fc.pre(!/\\u|__proto__/.test(text));
      expect(await valuesOf(text, json)).toEqual(JSON.parse(text));
    }),
  );
});

test("the bytes of a large body count until its request is answered, not only while it comes", async () => {
  const ends: (() => void)[] = [];
  const sender = { ...known, address: "192.0.2.77", onAnswered: (end: () => void) => ends.push(end) };
  const rest = () => {
    const transfer = sender.load.requests.begin(sender);
    try {
      transfer.add((1 << 30) - mebibyte);
      return "room";
    } catch (error) {
      if (error instanceof Failure) return error.kind;
      throw error;
    } finally {
      transfer.end();
    }
  };
  const sent = request(`a=${"b".repeat(2 * mebibyte - 2)}`, form);
  sent.headers.set("content-length", `${2 * mebibyte}`);
  await readBody(sent, ruleFor(sender));
  expect(rest()).toBe("unavailable");
  for (const end of ends) end();
  expect(rest()).toBe("room");
});

test("a body is the same whatever it declares, and in any pieces", async () => {
  const bytes = new Uint8Array(300_000).map((_, at) => at % 251);
  const whole = Buffer.from(bytes).toString("hex");
  for (const declared of [undefined, 100_000, 300_000, 1_000_000]) {
    for (const length of [1_000, 5_000, 200_000, 300_000]) {
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += length) controller.enqueue(bytes.slice(at, at + length));
          controller.close();
        },
      });
      const sent = request(pieces);
      if (declared !== undefined) sent.headers.set("content-length", `${declared}`);
      const limit = { sizeBytesMax: mebibyte, refuse: entityTooLarge };
      expect(Buffer.from(await readBytes(sent, limit, known)).toString("hex") === whole).toBe(true);
    }
  }
});
