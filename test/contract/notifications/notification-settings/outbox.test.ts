import { describe, expect, test } from "bun:test";
import { silentLog } from "../../../../src/lib/log.ts";
import { Deliveries } from "../../../../src/modules/core/deliveries/index.ts";
import { type DeliveryRecord, deliveries } from "../../../../src/modules/core/deliveries/records.ts";
import { enqueueMail } from "../../../../src/modules/core/outbox/index.ts";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import type { Context } from "../../../../src/modules/kernel/context.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { FakeClock } from "../../../support/fixtures/fake-clock.ts";
import { projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { startSmtpServer } from "../../../support/process/smtp-server.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const letter = { to: "ann@people.example", subject: "Häagen", text: "Hello\n.\nAnn", event: "new_issue" };

function queue(context: Context, changes: Partial<typeof letter> = {}): void {
  context.store.transact((tx) => enqueueMail(tx, context, { ...letter, ...changes }));
}

const outbox = async (world: World): Promise<Json[]> => (await world.get("/-/outbox")).body;
const isSent =
  (world: World, index = 0) =>
  async () =>
    (await outbox(world))[index].sent_at !== null;
const waiting = ({ store }: World) => store.of(deliveries).size;
const noted = (world: World, text: string) => () => world.logged.some((line) => line.includes(text));

describe("without an SMTP server", () => {
  test("mails are shown newest first, page by page, and stay", async () => {
    const world = await startWorld();
    for (const subject of ["one", "two", "three"]) queue(world.context, { subject });
    const { body, headers } = await world.get("/-/outbox", { query: { per_page: 2 } });
    expect(body.map(({ subject }: Json) => subject)).toEqual(["three", "two"]);
    expect(headers.get("x-total")).toBe("3");
    expect(headers.get("link")).toContain("/-/outbox?page=2&per_page=2");
    expect(body[0]).toEqual({ id: 3, ...letter, subject: "three", created_at: world.clock.time(), sent_at: null });
    expect(waiting(world)).toBe(0);
  });

  test("only administrators see them", async () => {
    const world = await startWorld();
    const ann = await world.user();
    expect((await world.call("GET", "/-/outbox")).status).toBe(401);
    const { status, body } = await world.call("GET", "/-/outbox", { token: ann.token });
    expect({ status, body }).toEqual({ status: 403, body: { message: "403 Forbidden" } });
  });

  test("a transaction that fails leaves no mail", async () => {
    const { context, store } = await startWorld();
    const failing = () =>
      store.transact((tx) => {
        enqueueMail(tx, context, letter);
        throw new Error("changed my mind");
      });
    expect(failing).toThrow("changed my mind");
    expect(store.logOf(mails).size).toBe(0);
  });
});

describe("with an SMTP server", () => {
  test("each mail is delivered once and shown as sent", async () => {
    await using smtp = await startSmtpServer();
    const world = await startWorld({
      smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
      externalUrl: "https://company.example/outpost",
    });
    queue(world.context);
    queue(world.context, { to: "bob@people.example" });
    await until("both are sent", isSent(world));
    expect(smtp.received.map(({ from, to }) => [from, to])).toEqual([
      ["outpost@company.example", "ann@people.example"],
      ["outpost@company.example", "bob@people.example"],
    ]);
    const [{ data = "" } = {}] = smtp.received;
    expect(data).toContain("From: outpost@company.example");
    expect(data).toContain("Subject: =?UTF-8?Q?H=C3=A4agen?=");
    expect(data).toEndWith("\r\n\r\nHello\r\n.\r\nAnn");
    expect((await outbox(world)).map(({ sent_at }) => sent_at)).toEqual([world.clock.time(), world.clock.time()]);
    expect(waiting(world)).toBe(0);
  });

  test("only the server gets user and password", async () => {
    await using smtp = await startSmtpServer({ AUTH: "535 no bm90LWEtcGFzc3dvcmQ=" });
    const world = await startWorld({ smtpUrl: `smtp://post%40man:hush%3Ahush@127.0.0.1:${smtp.port}` });
    queue(world.context);
    await until("the refusal is noted", noted(world, "a mail was not sent"));
    expect(smtp.commands).toContain(`AUTH PLAIN ${btoa("\0post@man\0hush:hush")}`);
    expect(world.logged.join("\n")).not.toMatch(/hush|post@man|bm90LWEt/);
    smtp.mood = {};
    world.clock.advance(60_000);
    await until("it is sent", isSent(world));
  });

  test("a refused mail is tried again, later each time, and delays no other mail", async () => {
    await using smtp = await startSmtpServer({ RCPT: "450 greylisted" });
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    queue(world.context);
    await until("the first refusal is noted", noted(world, '"attempts":1'));
    smtp.mood = {};
    queue(world.context, { to: "bob@people.example" });
    await until("the other is sent", isSent(world, 0));
    expect((await outbox(world))[1].sent_at).toBeNull();
    smtp.mood = { DATA: "554 not today" };
    world.clock.advance(60_000);
    await until("the second refusal is noted", noted(world, '"attempts":2'));
    smtp.mood = {};
    world.clock.advance(120_000);
    await until("it is sent", isSent(world, 1));
    expect(smtp.received.map(({ to }) => to)).toEqual(["bob@people.example", "ann@people.example"]);
  });

  test("a mail that is refused for two days fails", async () => {
    await using smtp = await startSmtpServer({ RCPT: "550 nobody of that name" });
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    queue(world.context);
    await until("the first refusal is noted", noted(world, '"attempts":1'));
    const late = { ...(world.store.of(deliveries).get(1) as DeliveryRecord), attempts: 19, due_at: world.clock.time() };
    world.store.transact((tx) => tx.update(deliveries, late));
    world.context.get(Deliveries).wake();
    await until("it is given up", noted(world, "a mail was given up"));
    expect(waiting(world)).toBe(0);
    expect((await outbox(world))[0].sent_at).toBeNull();
  });

  test("a server that is down fails no request and gets its mails when it is back", async () => {
    await using smtp = await startSmtpServer({ CONNECT: "" });
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    for (let count = 0; count < 3; count += 1) queue(world.context);
    await until("it is noted", noted(world, "a mail was not sent"));
    expect((await world.get("/user")).status).toBe(200);
    expect(waiting(world)).toBe(3);
    smtp.mood = {};
    world.clock.advance(60_000);
    await until("all are sent", () => waiting(world) === 0);
    expect(smtp.received).toHaveLength(3);
  });

  test("a mail that waited is dropped when its receiver may not read its topic any more", async () => {
    await using smtp = await startSmtpServer({ CONNECT: "" });
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    const [ann, bob, cleo] = [await world.user(), await world.user(), await world.user()];
    const everybody = [ann, bob, cleo];
    const project = putProject(world, putGroup(world).id, { visibility: "private" });
    for (const { id } of everybody) putMember(world, projectRef(project), id, 30);
    const act = (method: "POST" | "DELETE", path: string, json: object = {}) =>
      world.call(method, path, { token: rootToken, json });
    const issues = `/projects/${project.id}/issues`;
    const names = everybody.map(({ username }) => `@${username}`).join(" ");
    await act("POST", issues, { title: "t", description: names });
    const { body: kept } = await act("POST", `${issues}/1/notes`, { body: `kept ${names}` });
    const { body: deleted } = await act("POST", `${issues}/1/notes`, { body: `deleted ${names}` });
    expect([kept.id, deleted.id, waiting(world)]).toEqual([expect.any(Number), expect.any(Number), 9]);
    await act("DELETE", `${issues}/1/notes/${deleted.id}`);
    await act("DELETE", `/projects/${project.id}/members/${bob.id}`);
    await act("POST", `/users/${cleo.id}/block`);
    smtp.mood = {};
    world.clock.advance(60_000);
    await until("none waits", () => waiting(world) === 0);
    expect(smtp.received.map(({ to }) => to)).toEqual([ann.email, ann.email]);
    expect(smtp.received.map(({ data }) => data).join()).not.toContain("deleted");
  });
});

describe("an administrator sends a mail again", () => {
  const resend = (world: World, id: number, token = rootToken) =>
    world.call("POST", `/-/outbox/${id}/resend`, { token });

  test("and a copy of one that was sent goes out", async () => {
    await using smtp = await startSmtpServer();
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    queue(world.context);
    await until("it is sent", isSent(world));
    world.clock.advance(5_000);
    const { status, body } = await resend(world, 1);
    expect([status, body]).toEqual([200, { id: 2, ...letter, created_at: world.clock.time(), sent_at: null }]);
    await until("the copy is sent", isSent(world));
    expect(smtp.received.map(({ to }) => to)).toEqual([letter.to, letter.to]);
  });

  test("and one that waits goes out at once, without a copy", async () => {
    await using smtp = await startSmtpServer({ RCPT: "450 greylisted" });
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
    queue(world.context);
    await until("the refusal is noted", noted(world, '"attempts":1'));
    smtp.mood = {};
    expect((await resend(world, 1)).body).toMatchObject({ id: 1, sent_at: null });
    await until("it is sent", isSent(world));
    expect([smtp.received.length, await outbox(world)]).toEqual([1, [expect.objectContaining({ id: 1 })]]);
  });

  test("but not without an SMTP server, not an unknown one, and nobody else does", async () => {
    const world = await startWorld();
    queue(world.context);
    const ann = await world.user();
    const refusals = [await resend(world, 1), await resend(world, 2), await resend(world, 1, ann.token)];
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual([
      [400, "400 Bad request - no SMTP server is configured"],
      [404, "404 Mail Not Found"],
      [403, "403 Forbidden"],
    ]);
    expect((await outbox(world)).length).toBe(1);
  });
});

test("the next process sends the mails that one process did not, once", async () => {
  await using folder = await createTempFolder();
  const clock = new FakeClock();
  await using smtp = await startSmtpServer({ CONNECT: "421 closed" });
  const start = () =>
    startApp(configFor(folder.path, { smtpUrl: `smtp://127.0.0.1:${smtp.port}` }), silentLog, { clock });
  const first = await start();
  queue(first.context);
  await until("it was tried", () => first.context.store.of(deliveries).get(1)?.attempts === 1);
  await first.stop();
  smtp.mood = {};
  clock.advance(60_000);
  const second = await start();
  await until("it is sent", () => second.context.store.of(deliveries).size === 0);
  await second.stop();
  const third = await start();
  queue(third.context, { to: "bob@people.example" });
  await until("the next is sent", () => third.context.store.of(deliveries).size === 0);
  await third.stop();
  expect(smtp.received.map(({ to }) => to)).toEqual(["ann@people.example", "bob@people.example"]);
});
