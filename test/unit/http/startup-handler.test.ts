import { expect, test } from "bun:test";
import { StartupHandler } from "../../../src/http/entry/startup-handler.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";

const front = new StartupHandler(systemRandomness, false);
const ask = (path: string) => front.fetch(new Request(`http://127.0.0.1:8080${path}`));

test("while the store is opened, liveness is answered, and everything else waits", async () => {
  expect((await ask("/-/liveness")).status).toBe(200);
  for (const path of ["/-/readiness", "/-/health", "/api/v4/version", "/", "/-/liveness/x", "/api/-/liveness"]) {
    const answer = ask(path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    expect(await answer.json()).toEqual({ message: "503 Service Unavailable - starting", reasons: ["starting"] });
  }
});

test("a sandbox says so before it has opened its store", () => {
  const markOf = (isSandbox: boolean) =>
    new StartupHandler(systemRandomness, isSandbox)
      .fetch(new Request("http://127.0.0.1:8080/"))
      .headers.get("x-outpost-sandbox");
  expect([markOf(true), markOf(false)]).toEqual(["true", null]);
});
