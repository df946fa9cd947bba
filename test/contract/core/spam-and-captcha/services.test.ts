import { beforeEach, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { spamLogs } from "../../../../src/modules/core/spam/records.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { startSpamServices } from "../../../support/process/spam-services.ts";

const services = startSpamServices();
const world = await startWorld({
  spamKeywords: ["casino"],
  akismetUrl: services.url,
  recaptchaVerifyUrl: `${services.url}/verify`,
});
const places = placesOf(world);
const group = places.group({ visibility: "public" });
const project = places.project(group.id, { visibility: "public" });
const ann = await world.user({ name: "Ann" });
const bob = await world.user();
places.member(project, bob.id, accessLevels.maintainer);

const path = `/projects/${project.id}/issues`;
const settings = (json: Json) => world.call("PUT", "/application/settings", { token: rootToken, json });
const send = (json: Json, headers: Record<string, string> = {}, { token } = ann) =>
  world.call("POST", path, { token, json, headers });
const spam = { title: "casino" };
const isVerified = (id: number) => world.store.of(spamLogs).get(id)?.recaptcha_verified;

const captcha = { recaptcha_enabled: true, recaptcha_site_key: "6Lxx-site", recaptcha_private_key: "6Lxx-private" };

beforeEach(async () => {
  await settings({ akismet_enabled: false, recaptcha_enabled: false, allow_possible_spam: false });
  services.posted.length = 0;
  services.answer.akismet = () => new Response("false");
  services.answer.recaptcha = ({ form }) => Response.json({ success: form.response === "good" });
});

describe("the spam service", () => {
  const turnOn = () => settings({ akismet_enabled: true, akismet_api_key: "key" });

  test("is called only while it is on, with a form of the known facts", async () => {
    await send({ title: "One" });
    expect(services.posted).toEqual([]);
    await turnOn();
    const headers = { "user-agent": "a browser", referer: "http://here.example/" };
    expect((await send({ title: "Two", description: "More" }, headers)).status).toBe(201);
    const [post] = services.posted;
    expect(post).toEqual({
      path: "/1.1/comment-check",
      type: expect.stringContaining("application/x-www-form-urlencoded"),
      form: {
        api_key: "key",
        blog: world.origin,
        user_ip: "127.0.0.1",
        user_agent: "a browser",
        referrer: "http://here.example/",
        comment_type: "comment",
        comment_author: "Ann",
        comment_author_email: ann.email,
        comment_content: "Two\nMore",
      },
    });
  });

  test("decides that spam is refused, on creation and change", async () => {
    const { iid } = (await send({ title: "Kind" })).body;
    await turnOn();
    services.answer.akismet = ({ form }) => new Response(String(form.comment_content?.startsWith("Buy")));
    expect((await send({ title: "Buy" })).status).toBe(400);
    expect((await send({ title: "Do not" })).status).toBe(201);
    const change = (json: Json) => world.call("PUT", `${path}/${iid}`, { token: ann.token, json });
    expect((await change({ title: "Buy" })).status).toBe(400);
    expect((await change({ description: "Hello" })).status).toBe(200);
  });

  test.each([
    ["an error", () => new Response("true", { status: 500 })],
    ["another word", () => new Response("invalid")],
    ["nothing", () => new Response("")],
    ["a way elsewhere", () => Response.redirect("http://127.0.0.1:9/", 302)],
  ])("lets everything pass when it answers %s", async (_, answer) => {
    await turnOn();
    services.answer.akismet = answer;
    expect((await send({ title: "Buy" })).status).toBe(201);
  });

  test("lets everything pass when its answer has no end, and reads little of it", async () => {
    await turnOn();
    const cancelled = Promise.withResolvers<void>();
    services.answer.akismet = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode("true ".repeat(10_000))),
          cancel: () => cancelled.resolve(),
        }),
      );
    expect((await send({ title: "Buy" })).status).toBe(201);
    await cancelled.promise;
  });

  test("lets everything pass when it takes more than five seconds", async () => {
    await turnOn();
    const { promise, resolve } = Promise.withResolvers<Response>();
    services.answer.akismet = () => promise;
    const asked = services.nextPost();
    const sent = send({ title: "Buy" });
    await asked;
    world.clock.advance(5_000);
    expect((await sent).status).toBe(201);
    resolve(new Response("true"));
  });

  test("is not called for texts that the word list finds", async () => {
    await turnOn();
    expect((await send(spam)).status).toBe(400);
    expect(services.posted).toEqual([]);
  });
});

describe("during the spam check", () => {
  /** Sends a text, does something while the service thinks, and then hears that the text is none. */
  async function meanwhile(act: () => unknown, json: Json, verdict = "false", target = { method: "POST", path }) {
    await settings({ akismet_enabled: true, akismet_api_key: "key" });
    const { promise, resolve } = Promise.withResolvers<Response>();
    services.answer.akismet = () => promise;
    const asked = services.nextPost();
    const sent = world.call(target.method, target.path, { token: sender.token, json });
    await asked;
    await act();
    resolve(new Response(verdict));
    return await sent;
  }
  let sender = ann;

  test("a token that is revoked creates nothing, and no record", async () => {
    for (const verdict of ["false", "true"]) {
      sender = await world.user();
      const before = [world.store.of(issues).size, world.store.of(spamLogs).size];
      const revoke = () => world.call("DELETE", "/personal_access_tokens/self", { token: sender.token });
      expect((await meanwhile(revoke, { title: "Slow" }, verdict)).status).toBe(401);
      expect([world.store.of(issues).size, world.store.of(spamLogs).size]).toEqual(before);
    }
  });

  test("a project that is hidden accepts nothing", async () => {
    sender = ann;
    const hide = () => places.alterProject(project, { visibility: "private" });
    expect((await meanwhile(hide, { title: "Slow" })).status).toBe(404);
    places.alterProject(project, { visibility: "public" });
  });

  test("a text that changes is checked again", async () => {
    sender = bob;
    const { iid } = (await send({ title: "A", confidential: true }, {}, bob)).body;
    const one = `${path}/${iid}`;
    const change = () => world.call("PUT", one, { token: bob.token, json: { description: "casino" } });
    const shown = await meanwhile(change, { confidential: false }, "false", { method: "PUT", path: one });
    expect(shown.status).toBe(400);
    expect((await world.get(one)).body).toMatchObject({ confidential: true, description: "casino" });
  });
});

describe("with a CAPTCHA service", () => {
  const challenge = (id: number) => ({
    needs_captcha_response: true,
    spam_log_id: id,
    captcha_site_key: "6Lxx-site",
    message: {
      error: "Your issue has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.",
    },
  });
  beforeEach(() => settings(captcha));

  test("spam gets a challenge, each time with a record of its own, on change too", async () => {
    const first = await send(spam);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 409,
      body: challenge(first.body.spam_log_id),
    });
    const { iid } = (await send({ title: "Kind" })).body;
    const second = await world.call("PUT", `${path}/${iid}`, { token: ann.token, json: spam });
    expect(second.status).toBe(409);
    expect(second.body).toEqual(challenge(first.body.spam_log_id + 1));
    expect(services.posted).toEqual([]);
  });

  test.each(["X-Service-", "X-GitLab-", "x-gitlab-", "X-SERVICE-"])(
    "a solved challenge lets the request pass and marks its record, by %s headers",
    async (prefix) => {
      const { spam_log_id: id } = (await send(spam)).body;
      const headers = { [`${prefix}Captcha-Response`]: "good", [`${prefix}Spam-Log-Id`]: String(id) };
      const { status, body } = await send(spam, headers);
      expect([status, body.title]).toEqual([201, "casino"]);
      expect(isVerified(id)).toBe(true);
      const form = { secret: "6Lxx-private", response: "good", remoteip: "127.0.0.1" };
      expect(services.posted).toEqual([{ path: "/verify", type: expect.any(String), form }]);
    },
  );

  test("a solved challenge lets a change pass", async () => {
    const { iid } = (await send({ title: "Kind" })).body;
    const headers = { "X-Service-Captcha-Response": "good" };
    const { status, body } = await world.call("PUT", `${path}/${iid}`, { token: ann.token, json: spam, headers });
    expect([status, body.title]).toEqual([200, "casino"]);
  });

  test("another user's record, and one that does not exist, stay unchanged", async () => {
    const { spam_log_id: id } = (await send(spam, {}, bob)).body;
    for (const named of [String(id), "999999", "x", "1e3"]) {
      const headers = { "X-Service-Captcha-Response": "good", "X-Service-Spam-Log-Id": named };
      expect((await send(spam, headers)).status).toBe(201);
    }
    expect(isVerified(id)).toBe(false);
  });

  test.each([
    ["refused", () => Response.json({ success: false })],
    ["answered with an error", () => Response.json({ success: true }, { status: 500 })],
    ["answered with what is no JSON", () => new Response("success")],
    ["answered with what is no object", () => Response.json(null)],
    ["answered with another type", () => Response.json({ success: "true" })],
  ])("a token that is %s gets a new challenge", async (_, answer) => {
    services.answer.recaptcha = answer;
    const { spam_log_id: id } = (await send(spam)).body;
    const headers = { "X-Service-Captcha-Response": "good", "X-Service-Spam-Log-Id": String(id) };
    const again = await send(spam, headers);
    expect([again.status, again.body.spam_log_id]).toEqual([409, id + 1]);
    expect(isVerified(id)).toBe(false);
    expect((await send({ title: "Kind" }, headers)).status).toBe(201);
  });

  test("a service that takes more than five seconds confirms no token", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    services.answer.recaptcha = () => promise;
    const asked = services.nextPost();
    const sent = send(spam, { "X-Service-Captcha-Response": "good" });
    await asked;
    world.clock.advance(5_000);
    expect((await sent).status).toBe(409);
    resolve(Response.json({ success: true }));
  });

  test("a token is verified each time, and never where nothing is checked", async () => {
    const headers = { "X-Service-Captcha-Response": "good" };
    await send(spam, headers);
    await send(spam, headers);
    expect(services.posted.length).toBe(2);
    expect((await send(spam)).status).toBe(409);
    expect((await send({ ...spam, confidential: true }, headers)).status).toBe(201);
    expect(services.posted.length).toBe(2);
  });

  test("other errors come first", async () => {
    expect((await send({ description: "casino" })).status).toBe(400);
    expect((await send({ title: " ", description: "casino" })).body.message).toEqual({ title: ["can't be blank"] });
  });

  test("allowed spam passes without a challenge", async () => {
    await settings({ allow_possible_spam: true });
    expect((await send(spam)).status).toBe(201);
  });
});

test("without a CAPTCHA service the headers are ignored", async () => {
  const headers = { "X-Service-Captcha-Response": "good", "X-Service-Spam-Log-Id": "1" };
  const { status, body } = await send(spam, headers);
  expect(status).toBe(400);
  expect(Object.keys(body)).toEqual(["message"]);
  expect(services.posted).toEqual([]);
});
