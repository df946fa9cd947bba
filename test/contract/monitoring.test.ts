import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../support/world.ts";

const world = await startWorld();

test("health, readiness and liveness say ok without credentials", async () => {
  for (const name of ["health", "readiness", "liveness"]) {
    const { status, body } = await world.call("GET", `/-/${name}`);
    expect({ name, status, body }).toEqual({ name, status: 200, body: { status: "ok" } });
  }
});

test("they take no other method, and say so", async () => {
  const { status, headers } = await world.call("POST", "/-/health");
  expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "OPTIONS, HEAD, GET" });
});

test("metrics count requests by the pattern of their operation, and tell of the store", async () => {
  const ann = await world.user({ username: "ann" });
  await world.get("/-/metrics");
  for (let i = 0; i < 3; i += 1) await world.get(`/users/${ann.id}`);
  await world.get("/users/987654");
  const { status, headers, text } = await world.call("GET", "/-/metrics", { token: rootToken });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect(text).toContain('outpost_http_request_duration_seconds_count{method="GET",route="/users/:id",status="200"} 3');
  expect(text).toContain('outpost_http_request_duration_seconds_count{method="GET",route="/users/:id",status="404"} 1');
  expect(text).toContain('outpost_http_request_duration_seconds_count{method="POST",route="/users",status="201"} 1');
  expect(text).toContain('outpost_store_documents{collection="users"} 2');
  expect(text).toContain("outpost_store_writable 1");
  expect(text).toMatch(/outpost_store_journal_bytes [1-9]\d+/);
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).not.toContain("987654");
});
