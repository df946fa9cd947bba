import { expect, test } from "bun:test";
import { findPortOwner } from "../../../src/server/listeners/port-owner.ts";

test("the process that listens on a port is named, by either kind of address", () => {
  for (const hostname of ["127.0.0.1", "::1"]) {
    using server = Bun.serve({ port: 0, hostname, fetch: () => new Response() });
    expect(findPortOwner(server.port ?? 0)).toEndWith(` (process ${process.pid})`);
  }
});

test("a port without a listener has no process", () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  expect(findPortOwner(port ?? 0)).toBeUndefined();
});
