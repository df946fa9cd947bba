import { expect, test } from "bun:test";
import { setAlertScene } from "../../../support/fixtures/alerts.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ alertRateLimit: 2, alertRatePeriod: 60 });

test("a project's receivers accept a limited number of requests with a right key in one period", async () => {
  const { send, integrate, ask, alertsPath } = await setAlertScene(world);
  const other = await setAlertScene(world);
  const second = await integrate();
  for (let time = 0; time < 5; time += 1) expect((await send({}, { key: "wrong" })).status).toBe(401);
  expect((await send({ title: "one" })).status).toBe(200);
  expect((await send({ title: "two" }, { to: second })).status).toBe(200);
  const { status, text, headers } = await send({ title: "three" });
  expect({ status, text, type: headers.get("content-type") }).toEqual({
    status: 429,
    text: "Retry later",
    type: "text/plain",
  });
  const nowS = Math.floor(world.clock.now() / 1000);
  const retryAfter = Number(headers.get("retry-after"));
  expect(retryAfter).toBeWithin(1, 61);
  expect(headers.get("ratelimit-limit")).toBe("2");
  expect(headers.get("ratelimit-remaining")).toBe("0");
  expect(Number(headers.get("ratelimit-reset"))).toBe(nowS + retryAfter);
  expect((await ask("GET", `${alertsPath}/status_counts`)).body.all).toBe(2);
  expect((await other.send({})).status).toBe(200);
  expect((await send("{")).status).toBe(400);
  world.clock.advance(retryAfter * 1000);
  expect((await send({ title: "three" })).status).toBe(200);
});
