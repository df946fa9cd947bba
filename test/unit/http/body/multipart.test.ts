import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../../src/domain/failure.ts";
import { scanBytes } from "../../../../src/domain/text-scans.ts";
import { readMultipart } from "../../../../src/http/body/multipart.ts";
import { FilePart, type RawValue } from "../../../../src/http/params/values.ts";

const boundary = "mark";
const type = `multipart/form-data; boundary=${boundary}`;
const large = 70_000;

const part = (header: string, content: string | Uint8Array) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")]);
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const whole = (...parts: readonly Uint8Array[]) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);

/** Files as their names, types and contents. */
async function shown(value: RawValue | File | undefined): Promise<unknown> {
  if (value instanceof FilePart)
    return { name: value.filename, bytes: Bun.hash(value.bytes), size: value.bytes.length };
  if (!(value instanceof File)) return value;
  const bytes = await value.bytes();
  // The runtime leaves out an empty name.
  const name = value.name ?? "";
  return bytes.length === 0 && name === "" ? null : { name, bytes: Bun.hash(bytes), size: bytes.length };
}

async function readByRuntime(body: Uint8Array<ArrayBuffer>): Promise<unknown> {
  try {
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const last = new Map([...form.entries()]);
    return Object.fromEntries(await Promise.all([...last].map(async ([key, value]) => [key, await shown(value)])));
  } catch {
    return "unreadable";
  }
}

const refusal = () => new Failure("too_large", { message: "too large" });
const read = (body: Uint8Array, textBytesMax = 1 << 26) => readMultipart(body, type, textBytesMax, refusal);

const longHeaders = "Headers of a part of the multipart body too large";

async function readHere(body: Uint8Array): Promise<unknown> {
  try {
    const values = Object.entries(await read(body));
    return Object.fromEntries(await Promise.all(values.map(async ([key, value]) => [key, await shown(value)])));
  } catch (error) {
    return error instanceof Failure && error.body.error === longHeaders ? longHeaders : "unreadable";
  }
}

/** Whether something that looks like the beginning of a part has 16 KiB before the end of its headers. */
function hasLongHeaders(body: Uint8Array): boolean {
  const starts = Buffer.from(body).toString("latin1").split(`--${boundary}\r\n`).slice(1);
  return starts.some((start) => !start.slice(0, 16_384 - "\r\n".length).includes("\r\n\r\n"));
}

describe("a multipart body", () => {
  const header = fc.constantFrom(
    disposition('name="a"'),
    disposition('name="b"; filename="b.zip"'),
    `${disposition('name="c"; filename=c.zip')}\r\nContent-Type: application/zip`,
    `Content-Type: text/plain\r\n${disposition('filename="d"; name="d"')}`,
    disposition('name="filename="'),
    disposition('name="e"; filename=""'),
    `X-Long: ${"x".repeat(15_000)}\r\n${disposition('name="f"; filename="f"')}`,
  );
  const piece = fc.constantFrom(
    "x",
    "x".repeat(large),
    "\r\n",
    `\r\n--${boundary}`,
    `\r\n--${boundary}X\r\n${disposition('name="g"; filename="g"')}\r\n\r\n${"y".repeat(large)}`,
    `--${boundary}--`,
    "\r\n\r\n",
    "ü",
  );
  const content = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));

  test("is read as the runtime reads it, however large its files are and whatever is in them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(header, content), { maxLength: 4 }), fc.boolean(), async (parts, hasEnd) => {
        const made = parts.map(([head, text]) => part(head, text));
        const body = new Uint8Array(hasEnd ? whole(...made) : Buffer.concat(made));
        const found = await readHere(body);
        if (found === longHeaders) expect(hasLongHeaders(body)).toBe(true);
        else expect(found).toEqual(await readByRuntime(body));
      }),
      { numRuns: 300 },
    );
  });

  test("shares its memory with the large files in it", async () => {
    const body = whole(
      part(disposition('name="kind"'), "archive"),
      part(disposition('name="one"; filename="1"'), new Uint8Array(large).fill(1)),
      part(disposition('name="two"; filename="2"'), new Uint8Array(2 << 20).fill(2)),
      part(disposition('name="small"; filename="3"'), new Uint8Array([3])),
    );
    const { kind, one, two, small } = await read(body);
    expect(kind).toBe("archive");
    if (!(one instanceof FilePart && two instanceof FilePart && small instanceof FilePart)) throw new Error("no files");
    expect([one.bytes.buffer, two.bytes.buffer].every((buffer) => buffer === body.buffer)).toBe(true);
    expect([one.bytes.length, two.bytes.length]).toEqual([large, 2 << 20]);
    expect(one.bytes.every((byte) => byte === 1) && two.bytes.every((byte) => byte === 2)).toBe(true);
    expect([...small.bytes]).toEqual([3]);
  });
});

test("a boundary across the border of two pieces that are searched is found", async () => {
  const header = disposition('name="a"');
  const before = part(header, "").length - "\r\n".length;
  for (let shift = 0; shift <= boundary.length + 4; shift += 1) {
    const content = "x".repeat(scanBytes - before - shift);
    expect(await read(whole(part(header, content), part(disposition('name="b"; filename="b"'), "y")))).toMatchObject({
      a: content,
      b: { filename: "b" },
    });
  }
});

test("texts and small files beyond a limit are refused, large files are not counted", async () => {
  const file = part(disposition('name="f"; filename="1"'), new Uint8Array(large).fill(1));
  expect(await read(whole(file), 10_000)).toHaveProperty("f");
  const text = part(disposition('name="t"'), "x".repeat(20_000));
  await expect(read(whole(file, text), 10_000)).rejects.toMatchObject({ kind: "too_large" });
});

describe("a part is refused", () => {
  const refusalOf = async (header: string, content: string | Uint8Array = "x") =>
    read(whole(part(disposition('name="first"'), "x"), part(header, content))).then(
      (values) => Object.keys(values).length,
      ({ body }: Failure) => body.error,
    );

  test.each([1, large])("whose file name has more than 1,024 characters, with a content of %d bytes", async (size) => {
    const file = (name: string) => refusalOf(disposition(`name="f"; filename="${name}"`), new Uint8Array(size));
    expect(await file("ä".repeat(1_024))).toBe(2);
    expect(await file("ä".repeat(1_025))).toBe("File name too long");
  });

  test("whose name has more than 1,024 characters, with a file or without", async () => {
    for (const rest of ["", '; filename="a"']) {
      expect(await refusalOf(disposition(`name="${"n".repeat(1_024)}"${rest}`))).toBe(2);
      expect(await refusalOf(disposition(`name="${"n".repeat(1_025)}"${rest}`))).toBe("Parameter name too long");
    }
  });

  test("with more than 32 headers, or more than 16 KiB of them", async () => {
    const error = "Headers of a part of the multipart body too large";
    const more = (count: number) => `${"X-More: y\r\n".repeat(count)}${disposition('name="a"')}`;
    expect(await refusalOf(more(31))).toBe(2);
    expect(await refusalOf(more(32))).toBe(error);
    const long = (length: number) => `X-Long: ${"y".repeat(length)}\r\n${disposition('name="a"; filename="a"')}`;
    expect(await refusalOf(long(16_000))).toBe(2);
    for (const content of ["x", new Uint8Array(large)]) expect(await refusalOf(long(16_384), content)).toBe(error);
  });
});
