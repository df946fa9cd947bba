import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type MailRecord, mails } from "../../../../src/modules/core/outbox/records.ts";
import { dueIssueMails } from "../../../../src/modules/notifications/issue-mails/index.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ externalUrl: "https://git.example/outpost" });
const { store, clock } = world;
const places = placesOf(world);
const group = places.group({ path: "cars" });
const project = places.project(group.id, { path: "van", name: "Van" });
const [author, assignee, watcher] = [await world.user(), await world.user(), await world.user()];
for (const { id } of [author, assignee, watcher]) places.member(project, id, accessLevels.reporter);
const path = `/projects/${project.id}/issues`;

async function make(json: Json): Promise<Json> {
  return (await world.call("POST", path, { token: author.token, json: { title: "Brakes", ...json } })).body;
}

async function dueMailsOf(act: () => unknown): Promise<MailRecord[]> {
  const log = store.logOf(mails);
  const before = log.size;
  await act();
  await world.jobsDone();
  const found = Array.from({ length: log.size - before }, (_, at) => log.get(before + at + 1) as MailRecord);
  return found.filter(({ event }) => event === "issue_due");
}

/** As the start of a server does it. */
const again = () =>
  dueIssueMails.run({ context: world.context, signal: new AbortController().signal, pace: () => undefined });

test("on the day before, participants of open issues get a mail, by their settings", async () => {
  const due_date = clock.day(2);
  const { iid } = await make({ due_date, assignee_ids: [assignee.id] });
  const closed = await make({ due_date });
  await world.call("PUT", `${path}/${closed.iid}`, { token: author.token, json: { state_event: "close" } });
  await make({ due_date: clock.day(3) });
  await make({});
  const settings = `/projects/${project.id}/notification_settings`;
  await world.call("PUT", settings, { token: watcher.token, json: { level: "custom", issue_due: true } });
  const told = await dueMailsOf(() => clock.advanceDays(1));
  expect(told.map(({ to }) => to)).toEqual([author.email, assignee.email, watcher.email]);
  expect(told[0]).toMatchObject({
    subject: `Van | Brakes (#${iid})`,
    text: `The issue Brakes is due on ${due_date}.\n\nhttps://git.example/outpost/cars/van/-/issues/${iid}\n`,
  });
});

test("a second run on the same day sends no mail, the next day sends the next ones", async () => {
  expect(await dueMailsOf(again)).toEqual([]);
  const { iid } = await make({ due_date: clock.day(1) });
  expect((await dueMailsOf(again)).every(({ subject }) => subject.includes(`#${iid}`))).toBe(true);
  const told = await dueMailsOf(() => clock.advanceDays(1));
  expect(told.map(({ to }) => to)).toEqual([author.email, watcher.email]);
  expect(told.every(({ subject }) => !subject.includes(`#${iid}`))).toBe(true);
});

test("an issue without readers sends no mail", async () => {
  await make({ due_date: clock.day(2) });
  await world.call("DELETE", `/projects/${project.id}`, { token: (await owner()).token });
  expect(await dueMailsOf(() => clock.advanceDays(1))).toEqual([]);
});

async function owner() {
  const person = await world.user();
  places.member(project, person.id, accessLevels.owner);
  return person;
}
