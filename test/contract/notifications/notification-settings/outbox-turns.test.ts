import { expect, test } from "bun:test";
import { deliveries } from "../../../../src/modules/core/deliveries/records.ts";
import { enqueueMail, unsentOfCauseMax } from "../../../../src/modules/core/outbox/index.ts";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { startSmtpServer } from "../../../support/process/smtp-server.ts";

type Sent = Parameters<typeof enqueueMail>[2];

const letter = { to: "ann@people.example", subject: "Hello", text: "Hello, Ann", event: "new_issue" };

function queue({ context }: World, ...letters: readonly Partial<Sent>[]): void {
  context.store.transact((tx) => {
    for (const each of letters) enqueueMail(tx, context, { ...letter, ...each });
  });
}

/** A server whose mails wait until `open` is called. */
async function startWaiting() {
  const smtp = await startSmtpServer({ CONNECT: "421 closed" });
  const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
  const waiting = () => world.store.of(deliveries).size;
  return {
    ...{ world, waiting },
    /** Receivers in the order in which the server got them. */
    async open(): Promise<(string | undefined)[]> {
      smtp.mood = {};
      world.clock.advance(60_000);
      await until("none waits", () => waiting() === 0);
      return smtp.received.map(({ to }) => to);
    },
    [Symbol.asyncDispose]: () => smtp[Symbol.asyncDispose](),
  };
}

const times = (count: number, mail: Partial<Sent>) => Array.from({ length: count }, () => mail);

test("mails about accounts go first, and those of each user who causes notifications in turn", async () => {
  await using scene = await startWaiting();
  queue(scene.world, ...times(20, { to: "noisy@a.example", cause: "user 12" }));
  queue(scene.world, ...times(2, { to: "calm@a.example", cause: "user 1" }), {
    to: "one@a.example",
    cause: "user 120",
  });
  queue(scene.world, ...times(3, { to: "asks@a.example", queue: "account", cause: "user 3" }));
  queue(scene.world, { to: "resets@a.example", queue: "account", cause: "user 4" });
  const sent = (await scene.open()).map((to) => to?.split("@")[0]);
  expect(sent.slice(0, 4).sort()).toEqual(["asks", "asks", "asks", "resets"]);
  expect(sent.slice(0, 2)).toContain("resets");
  expect(sent.slice(4, 9)).toEqual(["calm", "noisy", "one", "calm", "noisy"]);
  expect(sent.slice(9)).toEqual(Array.from({ length: 18 }, () => "noisy"));
});

test("a refused mail of one user holds up none of the others", async () => {
  await using smtp = await startSmtpServer({ RCPT: "450 greylisted" });
  const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` });
  queue(world, { cause: "user 1" });
  await until("it is refused", () => world.store.of(deliveries).get(1)?.attempts === 1);
  smtp.mood = {};
  queue(world, { to: "bob@people.example", cause: "user 2" });
  await until("the other is sent", () => world.store.of(deliveries).size === 1);
  expect(smtp.received.map(({ to }) => to)).toEqual(["bob@people.example"]);
});

test("a user has a bounded number of notifications that wait; those beyond are not written, with one warning", async () => {
  await using scene = await startWaiting();
  const { world, waiting } = scene;
  const caused = { cause: "user 12" };
  for (let at = 0; at < unsentOfCauseMax; at += 1_000) queue(world, ...times(1_000, caused));
  expect(waiting()).toBe(unsentOfCauseMax);
  const warnings = () => world.logged.filter((line) => line.includes("too many mails that wait"));
  expect(warnings()).toEqual([]);
  queue(world, caused, caused);
  queue(world, { cause: "user 1" }, { ...caused, queue: "account" });
  expect([waiting(), world.store.logOf(mails).size]).toEqual([unsentOfCauseMax + 2, unsentOfCauseMax + 2]);
  expect(warnings()).toEqual([expect.stringContaining(`"cause":"user 12","limit":${unsentOfCauseMax}`)]);
  const { body } = await world.get("/-/attention");
  expect(JSON.stringify(body)).toContain("2 were dropped since the start");
});

test("an issue's mails are those of the user who opened it, and a new password's those of the account", async () => {
  await using scene = await startWaiting();
  const { world } = scene;
  const [ann, bob] = [await world.user(), await world.user()];
  const project = putProject(world, putGroup(world).id, { visibility: "private" });
  for (const { id } of [ann, bob]) putMember(world, projectRef(project), id, 30);
  const json = { title: "t", description: `@${bob.username}` };
  await world.call("POST", `/projects/${project.id}/issues`, { token: ann.token, json });
  await world.call("PUT", `/users/${bob.id}`, { token: rootToken, json: { password: "a-New-passw0rd-of-bob" } });
  const documents = world.store.of(deliveries);
  const found = [...documents.by.id.walk(false)].map((id) => documents.get(id));
  expect(found.map((each) => [each?.queue, each?.cause])).toEqual([
    ["notification", `user ${ann.id}`],
    ["account", `user ${bob.id}`],
  ]);
});
