import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
for (let count = 0; count < 5; count += 1) await world.user();

/** The answer as it came over the wire, and what it says. */
async function ask(acceptEncoding: string, path: string, init: RequestInit = {}) {
  const headers = { "PRIVATE-TOKEN": rootToken, "Accept-Encoding": acceptEncoding, ...init.headers };
  const answer = await fetch(`${world.origin}/api/v4${path}`, { ...init, headers, decompress: false });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const coding = answer.headers.get("content-encoding");
  return { answer, coding, bytes, text: new TextDecoder().decode(decode(coding, bytes)) };
}

function decode(coding: string | null, bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  if (bytes.length === 0) return bytes;
  if (coding === "zstd") return Bun.zstdDecompressSync(bytes);
  return coding === "gzip" ? Bun.gunzipSync(bytes) : bytes;
}

const whole = await ask("identity", "/users");

test.each([
  ["gzip", "gzip"],
  ["gzip, deflate", "gzip"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["ZSTD;q=0.5, gzip", "zstd"],
  ["zstd;q=0, gzip", "gzip"],
])("a client that accepts %s gets %s, and the same JSON", async (accepted, expected) => {
  const { answer, coding, bytes, text } = await ask(accepted, "/users");
  expect([answer.status, coding, answer.headers.get("vary")]).toEqual([200, expected, "Origin, Accept-Encoding"]);
  expect(text).toBe(whole.text);
  expect(bytes.length).toBeLessThan(whole.bytes.length / 2);
  expect(answer.headers.get("content-length")).toBe(String(bytes.length));
  expect(answer.headers.get("etag")).toBe(whole.answer.headers.get("etag"));
});

test.each(["identity", "", "br", "deflate", "gzip;q=0", "zstd;q=0.000, gzip;q=0.0", "*"])(
  "a client that accepts %p gets plain JSON, which varies all the same",
  async (accepted) => {
    const { answer, coding, text } = await ask(accepted, "/users");
    expect([coding, answer.headers.get("vary")]).toEqual([null, "Origin, Accept-Encoding"]);
    expect(text).toBe(whole.text);
  },
);

test("a body below 1,024 bytes is never compressed", async () => {
  const { answer, coding, bytes } = await ask("gzip, zstd", "/version");
  expect([coding, answer.headers.get("vary")]).toEqual([null, "Origin"]);
  expect(bytes.length).toBeLessThan(1024);
});

test("answers to changes, and a page from the response cache, are compressed too", async () => {
  const user = { name: "Long", username: "long", email: "long@example.test", bio: "b".repeat(200) };
  const body = JSON.stringify({ ...user, force_random_password: true });
  const created = await ask("zstd", "/users", {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
  });
  expect([created.answer.status, created.coding]).toEqual([201, "zstd"]);
  expect(JSON.parse(created.text).username).toBe("long");
  for (const coding of ["zstd", "gzip", null, "zstd"]) {
    expect((await ask(coding ?? "identity", "/users?per_page=4")).coding).toBe(coding);
  }
});

test("HEAD names the length of what GET sends, and 304 has no body", async () => {
  const got = await ask("gzip", "/users");
  const { answer, bytes } = await ask("gzip", "/users", { method: "HEAD" });
  expect([answer.headers.get("content-encoding"), bytes.length]).toEqual(["gzip", 0]);
  expect(answer.headers.get("content-length")).toBe(String(got.bytes.length));
  const tag = got.answer.headers.get("etag") as string;
  const known = await ask("gzip", "/users", { headers: { "If-None-Match": tag } });
  expect([known.answer.status, known.coding, known.bytes.length]).toEqual([304, null, 0]);
});
