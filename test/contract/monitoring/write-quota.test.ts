import { describe, expect, test } from "bun:test";
import { pathOf, setAlertScene } from "../../support/fixtures/alerts.ts";
import { collectorOf, eventOf } from "../../support/fixtures/error-tracking.ts";
import { type Json, type Person, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld({ userWriteQuotaMb: 3 });

/** The statuses of calls until one is refused. */
async function untilRefused(call: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < 500 && statuses.at(-1) !== 429) statuses.push((await call()).status);
  return statuses;
}

const big = "x".repeat(1_000_000);

describe("what monitoring tools write", () => {
  /** A project of a user, with an integration. */
  async function receiverOf({ token }: Person, path: string) {
    const { body: project } = await world.call("POST", "/projects", { token, json: { path } });
    const integrations = `/projects/${project.id}/alert_management_http_integrations`;
    const { body } = await world.call("POST", integrations, { token, json: { name: "x" } });
    return (payload: Json) =>
      world.call("POST", pathOf(body.url), { json: payload, headers: { Authorization: `Bearer ${body.token}` } });
  }

  test("counts for all projects of the user who made them, and not for the user's own calls", async () => {
    const user = await world.user();
    const [send, sendElsewhere] = [await receiverOf(user, "one"), await receiverOf(user, "other")];
    expect(await untilRefused(() => send({ title: "x", runbook: big }))).toEqual([200, 200, 200, 200, 429]);
    const refused = await sendElsewhere({ title: "x" });
    expect([refused.status, refused.text]).toEqual([429, ""]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 3_601);
    expect((await world.call("POST", "/projects", { token: user.token, json: { path: "third" } })).status).toBe(201);
    expect((await (await receiverOf(await world.user(), "theirs"))({ title: "x" })).status).toBe(200);
  });

  test("counts for the project that an administrator made", async () => {
    const [one, other] = [await setAlertScene(world), await setAlertScene(world)];
    expect((await untilRefused(() => one.send({ title: "x", runbook: big }))).length).toBe(5);
    expect((await other.send({ title: "x" })).status).toBe(200);
  });

  test("small alerts count, too", async () => {
    const { send } = await setAlertScene(world);
    let count = 0;
    const statuses = await untilRefused(() => send({ title: `${count++}`, runbook: "x".repeat(8_000) }));
    expect(statuses.length).toBeWithin(100, 400);
  });

  test("reported errors count, too", async () => {
    const { token } = await world.user();
    const { body: project } = await world.call("POST", "/projects", { token, json: { path: "errors" } });
    const { report } = await collectorOf(world, project.id);
    const statuses = await untilRefused(() => report(eventOf({ extra: { text: "x".repeat(15_000) } })));
    expect(statuses.length).toBeWithin(150, 300);
  });
});
