import { expect, test } from "bun:test";
import { readBody } from "../../../src/http/body.ts";

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
]) {
  test(`of a stranger's ${contentType} no more than a mebibyte and a little is read`, async () => {
    const { request, takenBytes } = largeBody(contentType);
    await expect(readBody(request, false)).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(takenBytes()).toBeLessThan(2 * mebibyte);
  });
}
