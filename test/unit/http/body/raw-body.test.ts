import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { Failure } from "../../../../src/domain/failure.ts";
import { RequestBody, refuseUndeclaredType } from "../../../../src/http/body/raw-body.ts";
import type { RawBody } from "../../../../src/modules/kernel/raw-request.ts";
import { known } from "./senders.ts";

const declared: RawBody = {
  sizeBytesMax: 1024,
  types: ["", "text/plain"],
  codings: ["gzip", "deflate", "br"],
  refuseSize: () => new Failure("too_large", { message: "too much" }),
};
const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

function post(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}): Request {
  return new Request("http://host/", { method: "POST", body, headers });
}

async function read(body: Uint8Array<ArrayBuffer> | string, coding?: string, rule = declared): Promise<unknown> {
  const request = post(body, coding === undefined ? {} : { "Content-Encoding": coding });
  try {
    return Buffer.from(
      await new RequestBody({ request, gone: () => request.signal, sender: known, search: "" }, rule).bytes(),
    ).toString("latin1");
  } catch (error) {
    if (error instanceof Failure) return error.body;
    throw error;
  }
}

describe("a raw body", () => {
  test("is passed on as it was before its compression", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 1024 }),
        fc.constantFrom("gzip", "deflate", "br"),
        async (bytes, coding) => {
          const packed = new Uint8Array(pack[coding as keyof typeof pack](bytes));
          if (packed.length > 1024) return;
          expect(await read(packed, coding)).toBe(Buffer.from(bytes).toString("latin1"));
        },
      ),
      { numRuns: 50 },
    );
    expect(await read("as it is")).toBe("as it is");
    expect(await read("as it is", "Identity")).toBe("as it is");
    expect(await read(new Uint8Array(gzipSync("old")), "X-GZIP")).toBe("old");
  });

  test.each(["gzip", "deflate", "br"] as const)("of %s is unpacked up to the limit only", async (coding) => {
    const bomb = new Uint8Array(pack[coding](Buffer.alloc(1_000_000)));
    const rule = { ...declared, sizeBytesMax: 999_999 };
    expect(bomb.length).toBeLessThan(2_000);
    expect(await read(bomb, coding, rule)).toEqual({ message: "too much" });
    expect(await read(bomb, coding, { ...declared, sizeBytesMax: 1_000_000 })).toHaveLength(1_000_000);
  });

  test("is refused above the limit, and when it does not match its coding", async () => {
    expect(await read("x".repeat(1024))).toHaveLength(1024);
    expect(await read("x".repeat(1025))).toEqual({ message: "too much" });
    for (const coding of ["gzip", "deflate", "br"])
      expect(await read("plain", coding)).toEqual({ error: "Bad Request" });
    expect(await read("plain", "zstd")).toEqual({ error: "Bad Request" });
    expect(await read(new Uint8Array(gzipSync("cut")).slice(0, 12), "gzip")).toEqual({ error: "Bad Request" });
  });

  test("of another type is refused, whatever the parameters of the type", () => {
    refuseUndeclaredType(new Request("http://host/", { method: "POST" }), declared);
    refuseUndeclaredType(post("x", { "Content-Type": "Text/Plain; charset=utf-8" }), declared);
    refuseUndeclaredType(post("x", { "Content-Type": "image/png" }), { sizeBytesMax: 1 });
    expect(() => refuseUndeclaredType(post("x", { "Content-Type": "image/png" }), declared)).toThrow("image/png");
  });
});
