import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../../../src/lib/log.ts";
import { deliveries as waitingDeliveries } from "../../../../src/modules/core/deliveries/records.ts";
import { enqueueMail, MailRemover, OutboxRetention, outboxLimits } from "../../../../src/modules/core/outbox/index.ts";
import { mailDeliveries, mails } from "../../../../src/modules/core/outbox/records.ts";
import type { Context } from "../../../../src/modules/kernel/context.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { FakeClock } from "../../../support/fixtures/fake-clock.ts";
import { type Json, startWorld, type World } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { startSmtpServer } from "../../../support/process/smtp-server.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const letter = { to: "ann@people.example", subject: "Hello", text: "Hello, Ann", event: "new_issue" };
const noPace = () => undefined;

/** The context with an outbox that keeps less. */
function withLimits(
  context: Context,
  limits: Partial<typeof outboxLimits>,
): { context: Context; remover: MailRemover } {
  const remover = new MailRemover(context, { ...outboxLimits, ...limits });
  const get: Context["get"] = (key) => (key === OutboxRetention ? (remover as never) : context.get(key));
  return { context: { ...context, get }, remover };
}

/** Each mail in a transaction of its own; resolves when what it caused to be removed is gone from the lists. */
async function write(context: Context, count: number, changes: Partial<typeof letter> = {}): Promise<void> {
  for (let mail = 0; mail < count; mail += 1) {
    context.store.transact((tx) => enqueueMail(tx, context, { ...letter, ...changes }));
    await Promise.resolve();
  }
}

const idsOf = ({ store }: Pick<Context, "store">) => {
  const { droppedBelow, size } = store.logOf(mails);
  return { first: droppedBelow, count: size };
};
const removals = (world: World) => world.logged.filter((line) => line.includes("oldest mails were removed"));

async function outboxOf(limits: Partial<typeof outboxLimits>, settings: { smtpUrl?: string } = {}) {
  const world = await startWorld(settings);
  await world.jobsDone();
  const small = withLimits(world.context, limits);
  await small.remover.run(noPace);
  return { world, ...small };
}

test("the server keeps 100,000 mails and 128 MiB of texts", () => {
  expect(outboxLimits).toEqual({ mails: 100_000, bytes: 134_217_728 });
});

test("mails beyond the number are removed once they are more than a tenth of it, and lists end earlier", async () => {
  const { world, context } = await outboxOf({ mails: 20 });
  for (let at = 1; at <= 22; at += 1) await write(context, 1, { subject: `mail ${at}` });
  expect(idsOf(context)).toEqual({ first: 1, count: 22 });
  await write(context, 1, { subject: "mail 23" });
  expect(idsOf(context)).toEqual({ first: 4, count: 20 });
  const { body, headers } = await world.get("/-/outbox", { query: { per_page: 5, page: 4 } });
  expect(headers.get("x-total")).toBe("20");
  expect(headers.get("link")).not.toContain('rel="next"');
  expect(body.map(({ subject }: Json) => subject)).toEqual(["mail 8", "mail 7", "mail 6", "mail 5", "mail 4"]);
  expect((await world.get("/-/outbox", { query: { per_page: 5, page: 5 } })).body).toEqual([]);
  await write(context, 2);
  expect(idsOf(context)).toEqual({ first: 4, count: 22 });
  await write(context, 1);
  expect(idsOf(context)).toEqual({ first: 7, count: 20 });
  expect(removals(world)).toHaveLength(2);
});

test("mails beyond the bytes of address, subject and text are removed", async () => {
  const { context } = await outboxOf({ bytes: 1000 });
  const of100 = { to: "a@b.example", subject: "ä".repeat(20), text: "x".repeat(49) };
  await write(context, 11, of100);
  expect(idsOf(context)).toEqual({ first: 1, count: 11 });
  await write(context, 1, of100);
  expect(idsOf(context)).toEqual({ first: 3, count: 10 });
  await write(context, 1, { text: "x".repeat(900) });
  expect(idsOf(context)).toEqual({ first: 13, count: 1 });
});

test("one act with more mails than the limit leaves the newest", async () => {
  const { context } = await outboxOf({ mails: 10 });
  context.store.transact((tx) => {
    for (let mail = 0; mail < 35; mail += 1) enqueueMail(tx, context, letter);
  });
  await Promise.resolve();
  expect(idsOf(context)).toEqual({ first: 26, count: 10 });
});

test("mails of an act that failed remove none", async () => {
  const { context } = await outboxOf({ mails: 10 });
  await write(context, 10);
  const fail = () =>
    context.store.transact((tx) => {
      for (let mail = 0; mail < 10; mail += 1) enqueueMail(tx, context, letter);
      throw new Error("changed my mind");
    });
  expect(fail).toThrow("changed my mind");
  await Promise.resolve();
  expect(idsOf(context)).toEqual({ first: 1, count: 10 });
  await write(context, 1);
  expect(idsOf(context)).toEqual({ first: 1, count: 11 });
});

test("a mail that is still to be sent stays, with all after it; results go with their mails", async () => {
  await using smtp = await startSmtpServer();
  const { world, context, remover } = await outboxOf({ mails: 10 }, { smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
  const waiting = () => context.store.of(waitingDeliveries).size;
  await write(context, 3);
  await until("three are sent", () => waiting() === 0);
  smtp.mood = { RCPT: "450 greylisted" };
  await write(context, 1, { to: "bob@people.example" });
  await until("one is refused", () => context.store.of(waitingDeliveries).get(4)?.attempts === 1);
  smtp.mood = {};
  await write(context, 16);
  await until("the others are sent", () => waiting() === 1);
  // The third is less than a tenth.
  expect(idsOf(context)).toEqual({ first: 3, count: 18 });
  expect([2, 3, 4, 5].map((id) => context.store.logOf(mailDeliveries).get(id)?.id)).toEqual([
    undefined,
    3,
    undefined,
    5,
  ]);
  world.clock.advance(60_000);
  await until("all are sent", () => waiting() === 0);
  expect(smtp.received.map(({ to }) => to)).toContain("bob@people.example");
  await remover.run(noPace);
  expect(idsOf(context)).toEqual({ first: 11, count: 10 });
  const deliveries = context.store.logOf(mailDeliveries);
  expect([deliveries.size, deliveries.droppedBelow]).toEqual([10, 11]);
  expect((await world.get("/-/outbox")).body.every(({ sent_at }: Json) => sent_at !== null)).toBe(true);
});

test("a process removes what an earlier one has written beyond the limits, and counts what that one left", async () => {
  const { context } = await outboxOf({});
  await write(context, 40);
  const next = withLimits(context, { mails: 30 });
  await next.remover.run(noPace);
  expect(idsOf(context)).toEqual({ first: 11, count: 30 });
  const third = withLimits(context, { mails: 30 });
  await third.remover.run(noPace);
  await write(third.context, 3);
  expect(idsOf(context)).toEqual({ first: 11, count: 33 });
  await write(third.context, 1);
  expect(idsOf(context)).toEqual({ first: 15, count: 30 });
});

test("mails that come while the old ones are counted are counted too, and remove none before", async () => {
  const { context } = await outboxOf({});
  await write(context, 25);
  const next = withLimits(context, { mails: 30 });
  let steps = 0;
  await next.remover.run(async () => {
    steps += 1;
    if (steps <= 10) await write(next.context, 4);
    expect(idsOf(context).first).toBe(1);
  });
  expect(steps).toBe(25);
  expect(idsOf(context)).toEqual({ first: 36, count: 30 });
});

test("a process that starts with old mails still to be sent removes those before them alone", async () => {
  await using smtp = await startSmtpServer({ CONNECT: "421 closed" });
  const { context } = await outboxOf({}, { smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
  await write(context, 50);
  context.store.transact((tx) => {
    for (let id = 1; id < 8; id += 1) tx.remove(waitingDeliveries, id);
  });
  const { remover } = withLimits(context, { mails: 20 });
  await remover.run(noPace);
  expect(idsOf(context)).toEqual({ first: 8, count: 43 });
  context.store.transact((tx) => {
    for (let id = 8; id <= 50; id += 1) tx.remove(waitingDeliveries, id);
  });
  await remover.run(noPace);
  expect(idsOf(context)).toEqual({ first: 31, count: 20 });
});

test("removed mails give their disk space back, and are not there after a restart", async () => {
  await using folder = await createTempFolder();
  const start = () => startApp(configFor(folder.path), silentLog, { clock: new FakeClock() });
  const first = await start();
  const { store } = first.context;
  await first.scheduler.idle();
  const { context, remover } = withLimits(first.context, { mails: 1500 });
  const files = () => readdir(join(folder.path, "generations", store.manifest.generation, "logs/mails"));
  const appendUncounted = (count: number) =>
    store.transact((tx) => {
      for (let mail = 0; mail < count; mail += 1) enqueueMail(tx, first.context, letter);
    });
  appendUncounted(5000);
  await store.checkpoint();
  const before = await files();
  expect(before).toContain("000000.json");
  expect(before).toContain("000003.index.json");
  await remover.run(noPace);
  await write(context, 1);
  await store.backgroundWorkDone();
  const after = await files();
  expect(after.length).toBeLessThan(before.length);
  expect(after.filter((name) => Number.parseInt(name, 10) < 3)).toEqual([]);
  await first.stop();
  const second = await start();
  await second.scheduler.idle();
  expect(idsOf(second.context)).toEqual({ first: 3501, count: 1501 });
  expect(second.context.store.logOf(mails).get(3500)).toBeUndefined();
  await second.stop();
});
