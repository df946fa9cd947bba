import { describe, expect, test } from "bun:test";
import type { Config } from "../../../../src/config/config.ts";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { groupRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { freePort } from "../../../support/process/free-port.ts";

/** Causes a mail of every kind with a link, by requests with a forged `Host`. Returns the links by event. */
async function mailsFrom(settings: Partial<Config>): Promise<Record<string, string>> {
  const world = await startWorld(settings);
  const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example" };
  const send = async (method: string, path: string, json: object, token = rootToken) => {
    const { status, body, text } = await world.call(method, path, { token, json, headers });
    if (status >= 300) throw new Error(text);
    return body;
  };
  const owner = await world.user();
  const group = putGroup(world, { path: "cars" });
  const project = putProject(world, group.id, { path: "van" });
  putMember(world, groupRef(group), owner.id, 50);
  const log = world.store.logOf(mails);
  const before = log.size;
  await send("PUT", `/groups/${group.id}/notification_settings`, { level: "custom", new_epic: true }, owner.token);
  await send("POST", "/users", { name: "N", username: "new", email: "new@people.example", reset_password: true });
  await send("POST", `/projects/${project.id}/issues`, { title: "t", assignee_ids: [owner.id] });
  await send("POST", `/projects/${project.id}/issues/1/notes`, { body: "b" });
  await send("POST", `/groups/${group.id}/epics`, { title: "e" });
  await send("PUT", `/projects/${project.id}/incident_management_settings`, { send_email: true });
  const { url, token } = await send("POST", `/projects/${project.id}/alert_management_http_integrations`, {
    name: "a",
  });
  const alert = { method: "POST", headers: { ...headers, Authorization: `Bearer ${token}` }, body: '{"title":"hot"}' };
  const received = await fetch(`${world.origin}${new URL(url).pathname}`, alert);
  if (!received.ok) throw new Error(await received.text());
  const found = Array.from({ length: log.size - before }, (_, at) => log.get(before + at + 1));
  return Object.fromEntries(found.map((mail) => [mail?.event ?? "", mail?.text.trim().split(/\s+/).at(-1) ?? ""]));
}

const reset = /^(.*)\/users\/password\/edit\?reset_password_token=\w[\w-]+$/;

describe("mails have links", () => {
  test.each([
    ["the external address", async () => ({ externalUrl: "https://git.example/outpost" })],
    [
      "the address that the server listens at, where there is no external one",
      async () => ({ port: await freePort() }),
    ],
  ])("to %s, whatever host the request names", async (_, settingsOf) => {
    const settings: Partial<Config> = await settingsOf();
    const base = settings.externalUrl ?? `http://127.0.0.1:${settings.port}`;
    const { user_created: invitation = "", ...found } = await mailsFrom(settings);
    expect(reset.exec(invitation)?.[1]).toBe(base);
    expect(found).toEqual({
      new_issue: `${base}/cars/van/-/issues/1`,
      new_note: `${base}/cars/van/-/issues/1#note_2`,
      new_epic: `${base}/groups/cars/-/epics/1`,
      alert_triggered: `${base}/cars/van/-/alert_management/1/details`,
    });
  });

  test.each([
    ["a port that the system chose", async () => ({})],
    ["every address of the machine", async () => ({ host: "0.0.0.0", port: await freePort() })],
  ])("only as references where the server listens at %s", async (_, settingsOf) => {
    const { user_created: invitation = "", ...found } = await mailsFrom(await settingsOf());
    expect(reset.exec(invitation)?.[1]).toBe("");
    expect(found).toEqual({
      new_issue: "cars/van#1",
      new_note: "cars/van#1#note_2",
      new_epic: "cars&1",
      alert_triggered: "cars/van^alert#1",
    });
  });
});
