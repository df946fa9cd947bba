import { describe, expect, test } from "bun:test";
import { settingsOf } from "../../../../src/modules/core/application-settings/index.ts";
import { applicationSettings } from "../../../../src/modules/core/application-settings/records.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const world = await startWorld();
const put = (json: Json) => world.call("PUT", "/application/settings", { token: rootToken, json });
const blank = ["can't be blank"];

describe("turning a service on without its keys is refused", () => {
  test.each([
    [{ akismet_enabled: true }, { akismet_api_key: blank }],
    [{ akismet_enabled: true, akismet_api_key: " " }, { akismet_api_key: blank }],
    [{ recaptcha_enabled: true }, { recaptcha_site_key: blank, recaptcha_private_key: blank }],
    [{ recaptcha_enabled: true, recaptcha_site_key: "a" }, { recaptcha_private_key: blank }],
    [{ recaptcha_enabled: true, recaptcha_private_key: "a" }, { recaptcha_site_key: blank }],
  ])("%j", async (json, message) => {
    const before = (await world.get("/application/settings")).body;
    const { status, body } = await put({ ...json, signup_enabled: false });
    expect({ status, body }).toEqual({ status: 400, body: { message } });
    expect((await world.get("/application/settings")).body).toEqual(before);
  });
});

test("existing keys count, and cannot be removed while the service is on", async () => {
  await put({ akismet_api_key: "k", recaptcha_site_key: "s", recaptcha_private_key: "p" });
  const { status, body } = await put({ akismet_enabled: true, recaptcha_enabled: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ akismet_enabled: true, akismet_api_key: "k", recaptcha_enabled: true });
  expect((await put({ akismet_api_key: null })).body.message).toEqual({ akismet_api_key: blank });
  expect((await put({ recaptcha_site_key: "" })).body.message).toEqual({ recaptcha_site_key: blank });
  expect((await put({ akismet_enabled: false, akismet_api_key: null })).body.akismet_api_key).toBeNull();
});

test("settings without an effect are stored", async () => {
  const json = {
    spam_check_endpoint_enabled: true,
    spam_check_endpoint_url: "https://spam.example",
    spam_check_api_key: "k",
    login_recaptcha_protection_enabled: true,
    allow_possible_spam: true,
  };
  expect((await put(json)).body).toMatchObject(json);
  expect((await put({ allow_possible_spam: "no way" })).status).toBe(400);
});

test("audit events of secrets have neither the old nor the new value", async () => {
  const before = world.events().length;
  const secrets = { akismet_api_key: "hush-1", recaptcha_private_key: "hush-2", spam_check_api_key: "hush-3" };
  await put({ ...secrets, recaptcha_site_key: "shown" });
  const events = world.events(before);
  expect(events.map(({ details }) => details.change)).toEqual([
    "akismet_api_key",
    "recaptcha_private_key",
    "recaptcha_site_key",
    "spam_check_api_key",
  ]);
  expect(JSON.stringify(events)).not.toContain("hush");
  for (const { details } of events) {
    const isSecret = details.change !== "recaptcha_site_key";
    expect(["from" in details, "to" in details]).toEqual([!isSecret, !isSecret]);
  }
  expect(events[2]?.details).toMatchObject({ from: "s", to: "shown" });
});

describe("keys from the environment", () => {
  const keys = { recaptchaSiteKey: "site", recaptchaPrivateKey: "private" };
  const on = { recaptcha_enabled: true, recaptcha_site_key: "site", recaptcha_private_key: "private" };
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

  test("turn CAPTCHAs on at each start, until a change", async () => {
    const folder = await createTempFolder();
    const seen: Json[] = [];
    for (const given of [keys, keys, {}]) {
      const app = await startApp(configFor(folder.path, given), silent);
      seen.push(settingsOf(app.context));
      const response = await fetch(`${app.origin}/api/v4/application/settings`, {
        method: "PUT",
        headers: { "PRIVATE-TOKEN": rootToken, "content-type": "application/json" },
        body: JSON.stringify({ recaptcha_enabled: false, recaptcha_site_key: "mine" }),
      });
      seen.push(await response.json());
      await app.stop();
    }
    await folder.remove();
    const changed = { recaptcha_enabled: false, recaptcha_site_key: "mine" };
    expect(seen).toMatchObject([on, changed, on, changed, changed, changed]);
  });

  test("have no effect when one is missing", async () => {
    const one = await startWorld({ recaptchaSiteKey: "site" });
    expect(one.store.of(applicationSettings).get(1)).toBeUndefined();
  });
});
