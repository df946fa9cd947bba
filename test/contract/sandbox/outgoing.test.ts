import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld, type World } from "../../support/fixtures/world.ts";
import { startSmtpServer } from "../../support/process/smtp-server.ts";
import { startSpamServices } from "../../support/process/spam-services.ts";

const services = startSpamServices();
const smtp = await startSmtpServer();
const urls = {
  akismetUrl: services.url,
  recaptchaVerifyUrl: `${services.url}/verify`,
  smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
};

/** An issue with an assignee, which the spam service is asked about and of which a mail is written. */
async function fileIssue(world: World): Promise<void> {
  const settings = { akismet_enabled: true, akismet_api_key: "hush-hush" };
  await world.call("PUT", "/application/settings", { token: rootToken, json: settings });
  const [ann, bob] = [await world.user({ name: "Ann" }), await world.user()];
  const project: Json = (
    await world.call("POST", "/projects", { token: bob.token, json: { name: "station", visibility: "public" } })
  ).body;
  const issue = { title: "Too blue", description: `More @${bob.username}` };
  expect((await world.call("POST", `/projects/${project.id}/issues`, { token: ann.token, json: issue })).status).toBe(
    201,
  );
}

const outgoing = async (world: World) => (await world.get("/-/sandbox/outgoing")).body;

test("with --outgoing sink nothing leaves the machine, and all of it is shown", async () => {
  const world = await startWorld({ sandbox: true, outgoing: "sink", ...urls });
  await world.rootPasswordStored();
  expect(await outgoing(world)).toEqual([]);
  await fileIssue(world);
  const [call, ...others] = await outgoing(world);
  expect(others).toEqual([]);
  expect(call).toMatchObject({ id: 1, method: "POST", url: `${services.url}/1.1/comment-check` });
  expect(call.sent_at).toBe(new Date(world.clock.now()).toISOString());
  const form = new URLSearchParams(call.body);
  expect([form.get("comment_content"), form.get("comment_author"), form.get("api_key")]).toEqual([
    expect.stringMatching(/^Too blue\nMore @/),
    "Ann",
    "[secret]",
  ]);
  const mails = (await world.get("/-/mails", { query: { per_page: 1 } })).body;
  expect(mails).toEqual([expect.objectContaining({ id: expect.any(Number), sent_at: null })]);
  expect((await world.get("/-/outbox")).body).toEqual((await world.get("/-/mails")).body);
  await world.jobsDone();
  expect([services.posted, smtp.received]).toEqual([[], []]);
});

test("a sandbox sends as any server does unless it is told to sink", async () => {
  const world = await startWorld({ sandbox: true, ...urls });
  await world.rootPasswordStored();
  await fileIssue(world);
  expect(services.posted).toHaveLength(1);
  expect(await outgoing(world)).toEqual([]);
});
