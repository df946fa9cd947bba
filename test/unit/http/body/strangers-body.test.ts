import { describe, expect, test } from "bun:test";
import { readBody } from "../../../../src/http/body/body.ts";
import { RequestBody } from "../../../../src/http/body/raw-body.ts";
import type { RawBody, RawRequest } from "../../../../src/modules/kernel/raw-request.ts";
import { failureOfAsync } from "../failures.ts";
import { known, ruleFor, stranger } from "./senders.ts";

const chunk = new TextEncoder().encode("x".repeat(64 << 10));
const mebibyte = 1 << 20;

/** A body of 64 MiB that counts what is taken of it. */
function largeBody(contentType: string) {
  let takenBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (takenBytes >= 64 * mebibyte) controller.close();
      else controller.enqueue(chunk);
      takenBytes += chunk.byteLength;
    },
  });
  const request = new Request("http://host/", { method: "POST", headers: { "Content-Type": contentType }, body });
  return { request, takenBytes: () => takenBytes };
}

for (const contentType of [
  "application/x-www-form-urlencoded",
  "application/json",
  "multipart/form-data; boundary=x",
  "",
]) {
  test(`of a stranger's ${contentType || "body without a type"} no more than a mebibyte and a little is read`, async () => {
    const { request, takenBytes } = largeBody(contentType);
    await expect(readBody(request, ruleFor(stranger))).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(takenBytes()).toBeLessThan(2 * mebibyte);
  });
}

describe("of a stranger's raw body no more than a mebibyte and a little is read", () => {
  const declared: RawBody = { sizeBytesMax: 48 * mebibyte };
  const ways: [string, RawBody, number, (raw: RawRequest) => Promise<unknown>][] = [
    ["as bytes", declared, 2, (raw) => raw.bytes()],
    ["as a stream", declared, 2, (raw) => Array.fromAsync(raw.stream())],
    ["as a form", declared, 2, (raw) => raw.form()],
    ["to its end", { ...declared, isDrained: true }, 3, (raw) => raw.bytes()],
  ];
  test.each(ways)("%s", async (_, rule, mebibytesMax, read) => {
    const ofStranger = largeBody("");
    const raw = (request: Request, sender: typeof known) =>
      new RequestBody({ request, gone: () => request.signal, sender, search: "" }, rule);
    await expect(read(raw(ofStranger.request, stranger))).rejects.toMatchObject({ kind: "too_large" });
    expect(ofStranger.takenBytes()).toBeLessThan(mebibytesMax * mebibyte);
    const ofKnown = largeBody("");
    const { kind } = await failureOfAsync(() => read(raw(ofKnown.request, known)));
    expect([kind, ofKnown.takenBytes() >= 48 * mebibyte]).toEqual(["too_large", true]);
  });
});
