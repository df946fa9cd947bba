import { describe, expect, test } from "bun:test";
import { setAlertScene } from "../../../support/fixtures/alerts.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const community = await startWorld({ edition: "community" });
const path = "/alert_management_on_call_integration";
const api_url = "https://oncall.example/alert/list";

describe("the on-call settings", () => {
  test("are off by default, and deleted on request", async () => {
    const { ask } = await setAlertScene(world);
    const none = { active: false, api_url: null };
    expect((await ask("GET", path)).body).toEqual(none);
    const { status, body } = await ask("PUT", path, { active: true, api_url });
    expect({ status, body }).toEqual({ status: 200, body: { active: true, api_url } });
    expect((await ask("GET", path)).body).toEqual(body);
    expect((await ask("PUT", path, { active: false })).body).toEqual({ active: false, api_url });
    expect((await ask("PUT", path, { active: true })).body).toEqual({ active: true, api_url });
    for (const _ of [1, 2]) expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("GET", path)).body).toEqual(none);
  });

  test.each([
    [{}, { error: "active is missing" }],
    [{ api_url }, { error: "active is missing" }],
    [{ active: "perhaps" }, { error: "active is invalid" }],
    [{ active: true }, { message: { api_url: ["can't be blank"] } }],
    [{ active: true, api_url: " " }, { message: { api_url: ["can't be blank"] } }],
    [{ active: false, api_url: "ftp://x.example" }, { message: { api_url: [expect.any(String)] } }],
    [{ active: false, api_url: "nonsense" }, { message: { api_url: [expect.any(String)] } }],
    [
      { active: false, api_url: `https://x.example/${"x".repeat(255)}` },
      { message: { api_url: ["is too long (maximum is 255 characters)"] } },
    ],
  ] as [object, object][])("%j is refused", async (json, expected) => {
    const { ask } = await setAlertScene(world);
    const { status, body } = await ask("PUT", path, json);
    expect(status).toBe(400);
    expect(body).toMatchObject(expected);
  });

  test("override the alert settings of all integrations, which apply again afterwards", async () => {
    const { ask, send, integrate, integration, integrationsPath, alertsPath, alert } = await setAlertScene(world);
    const off = await integrate({ active: false });
    await send({ title: "before" });
    await ask("PUT", path, { active: true, api_url });
    expect((await send({})).status).toBe(403);
    const states = async () => (await ask("GET", integrationsPath)).body.map(({ id, active }: Json) => [id, active]);
    expect(await states()).toEqual([
      [integration.id, false],
      [off.id, false],
    ]);
    const message = { active: ["cannot be true while the on-call integration is enabled"] };
    expect((await ask("POST", integrationsPath, { name: "x", active: true })).body).toEqual({ message });
    expect((await ask("PUT", `${integrationsPath}/${off.id}`, { active: true })).body).toEqual({ message });
    const later = await integrate();
    expect(later.active).toBe(false);
    await ask("PUT", `${integrationsPath}/${off.id}`, { name: "still off", active: false });
    expect((await ask("PUT", `${alertsPath}/1`, { status: "acknowledged" })).status).toBe(200);
    expect((await alert(1)).status).toBe("acknowledged");
    await ask("PUT", path, { active: false });
    expect(await states()).toEqual([
      [integration.id, true],
      [off.id, false],
      [later.id, true],
    ]);
    expect((await send({})).status).toBe(200);
  });

  test("do not exist in the community edition", async () => {
    const { ask } = await setAlertScene(community);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const json = method === "GET" ? undefined : { active: false };
      expect((await ask(method, path, json)).status).toBe(403);
    }
  });
});
