import { beforeEach, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { spamLogs } from "../../../../src/modules/core/spam/records.ts";
import type { ProjectRecord } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { labels } from "../../../../src/modules/planning/labels/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ spamKeywords: ["cheap pills", "casino"] });
const places = placesOf(world);
const group = places.group({ visibility: "public" });
const open = places.project(group.id, { visibility: "public" });
const membersOnly = places.project(group.id, { visibility: "public", settings: { issues_access_level: "private" } });
const internal = places.project(group.id, { visibility: "internal" });
const hidden = places.project(group.id, { visibility: "private" });
const archived = places.project(group.id, { visibility: "public", archived: true });
const [owner, maintainer, reporter, passerby] = [
  await world.user(),
  await world.user(),
  await world.user(),
  await world.user(),
];
for (const project of [open, membersOnly, internal, hidden, archived]) {
  places.member(project, owner.id, accessLevels.owner);
  places.member(project, maintainer.id, accessLevels.maintainer);
  places.member(project, reporter.id, accessLevels.reporter);
}
const settings = (json: Json) => world.call("PUT", "/application/settings", { token: rootToken, json });

const text = "Your issue has been recognized as spam and has been discarded.";
const refusal = { message: { error: text, base: [text] } };
const spam = { title: "Cheap PILLS", description: "for all" };

const create = ({ id }: ProjectRecord, json: Json, { token }: Pick<Person, "token"> = reporter) =>
  world.call("POST", `/projects/${id}/issues`, { token, json });
const update = ({ id }: ProjectRecord, iid: number, json: Json, { token }: Pick<Person, "token"> = reporter) =>
  world.call("PUT", `/projects/${id}/issues/${iid}`, { token, json });
const logged = () => world.store.of(spamLogs).size;

/** An issue with words of spam, from before anybody looked for them. */
async function oldSpam(attributes: Json = {}): Promise<number> {
  await settings({ allow_possible_spam: true });
  const { body } = await create(open, { ...spam, ...attributes });
  await settings({ allow_possible_spam: false });
  return body.iid;
}

beforeEach(() => settings({ allow_possible_spam: false }));

describe("a new issue with a word of the list", () => {
  test.each([
    ["in its title", { title: "The best CaSiNo" }],
    ["in its description", { title: "Hello", description: "we have cheap pills" }],
    ["as a part of another word", { title: "supercasinos" }],
  ])("%s is refused, and stores only a spam record", async (_, json) => {
    const before = [world.store.of(issues).size, world.store.of(labels).size, logged()];
    const { status, body } = await create(open, { ...json, labels: "fresh" });
    expect({ status, body }).toEqual({ status: 400, body: refusal });
    const after = [world.store.of(issues).size, world.store.of(labels).size, logged()];
    expect(after).toEqual([before[0], before[1], (before[2] as number) + 1] as number[]);
    const harmless = (await create(open, { title: "Harmless" })).body.iid;
    await create(open, json);
    expect((await create(open, { title: "Harmless" })).body.iid).toBe(harmless + 1);
  });

  test("over two lines passes", async () => {
    expect((await create(open, { title: "cheap", description: "pills" })).status).toBe(201);
  });

  test("is refused to owners, maintainers and administrators too, and to callers who are no members", async () => {
    for (const person of [owner, maintainer, passerby, { token: rootToken }]) {
      expect((await create(open, spam, person)).body).toEqual(refusal);
    }
  });

  test("is refused to an impersonating caller", async () => {
    const query = { sudo: reporter.username };
    const { status } = await world.call("POST", `/projects/${open.id}/issues`, { token: rootToken, query, json: spam });
    expect(status).toBe(400);
    expect([...world.store.of(spamLogs).by.user_id.find(reporter.id)].length).toBeGreaterThan(0);
  });

  test("passes where not all users can read it", async () => {
    for (const project of [membersOnly, internal, hidden]) expect((await create(project, spam)).status).toBe(201);
    expect((await create(open, { ...spam, confidential: true })).status).toBe(201);
  });

  test("of an internal account passes", async () => {
    const bot = await world.user();
    world.alter(bot.id, { user_type: "support_bot" });
    const query = { sudo: bot.username };
    const { status } = await world.call("POST", `/projects/${open.id}/issues`, { token: rootToken, query, json: spam });
    expect(status).toBe(201);
  });

  test("is refused for another error first", async () => {
    const before = logged();
    expect((await world.call("POST", `/projects/${open.id}/issues`, { json: spam })).status).toBe(401);
    expect((await create(hidden, spam, passerby)).status).toBe(404);
    expect((await create(archived, spam)).status).toBe(403);
    expect((await create(membersOnly, spam, passerby)).status).toBe(403);
    expect((await create(open, { description: "casino" })).body.error).toBe("title is missing");
    expect((await create(open, { ...spam, issue_type: "joke" })).body.error).toContain("issue_type");
    expect((await create(open, { title: " ", description: "casino" })).body.message.title).toEqual(["can't be blank"]);
    expect((await create(open, { ...spam, epic_id: 99 })).body.message).toBe("404 Epic Not Found");
    const { iid } = (await create(open, { title: "There" })).body;
    expect((await create(open, { ...spam, iid }, owner)).body.message).toBe("Duplicated issue");
    expect(logged()).toBe(before);
  });
});

describe("a change", () => {
  test("of title or description to a word of the list is refused, and nothing changes", async () => {
    const { iid } = (await create(open, { title: "Good", description: "kind" })).body;
    const before = (await world.get(`/projects/${open.id}/issues/${iid}`)).body;
    for (const json of [{ title: "casino" }, { description: "casino", labels: "never-made" }]) {
      const { status, body } = await update(open, iid, json);
      expect({ status, body }).toEqual({ status: 400, body: refusal });
    }
    expect((await world.get(`/projects/${open.id}/issues/${iid}`)).body).toEqual(before);
    expect((await update(open, iid, { title: "Better" })).status).toBe(200);
  });

  test("of anything else is not checked, nor an unchanged title", async () => {
    const iid = await oldSpam();
    const changes = [{ labels: "a" }, { assignee_ids: [owner.id] }, { state_event: "close" }, { title: spam.title }];
    for (const json of changes) expect((await update(open, iid, json)).status).toBe(200);
    expect((await update(open, iid, { description: null })).body).toEqual(refusal);
    expect((await update(open, iid, { title: "Kind", description: null })).status).toBe(200);
  });

  test("that makes a confidential issue public is checked, and one that makes it confidential is not", async () => {
    const { iid } = (await create(open, { ...spam, confidential: true })).body;
    expect((await update(open, iid, { title: "casino" })).status).toBe(200);
    expect((await update(open, iid, { confidential: false })).body).toEqual(refusal);
    expect((await update(open, iid, { confidential: false, title: "A", description: "" })).status).toBe(200);
    expect((await update(open, iid, { confidential: true, title: "casino" })).status).toBe(200);
  });

  test("of an author who may not change confidentiality is checked by the current one", async () => {
    const { iid } = (await create(open, { title: "Mine", confidential: true }, passerby)).body;
    expect((await update(open, iid, { title: "casino", confidential: false }, passerby)).status).toBe(200);
    const shown = (await create(open, { title: "Mine" }, passerby)).body.iid;
    expect((await update(open, shown, { title: "casino", confidential: true }, passerby)).body).toEqual(refusal);
  });

  test("passes where not all users can read it", async () => {
    for (const project of [membersOnly, internal, hidden]) {
      const { iid } = (await create(project, { title: "Kind" })).body;
      expect((await update(project, iid, spam)).status).toBe(200);
    }
  });

  test("is refused for another error first", async () => {
    const { iid } = (await create(open, { title: "Kind" })).body;
    const before = logged();
    expect((await update(open, 9_999, spam)).status).toBe(404);
    expect((await update(open, iid, spam, passerby)).status).toBe(403);
    expect((await update(open, iid, { title: "", description: "casino" })).body.message.title).toBeDefined();
    expect((await update(open, iid, { ...spam, epic_id: 99 })).body.message).toBe("404 Epic Not Found");
    expect(logged()).toBe(before);
  });
});

test("allowed spam passes and is recorded", async () => {
  await settings({ allow_possible_spam: true });
  const before = logged();
  const { status, body } = await create(open, spam);
  expect([status, body.title]).toEqual([201, spam.title]);
  expect((await update(open, body.iid, { title: "casino" })).status).toBe(200);
  expect(logged()).toBe(before + 2);
});

test("the record has user, text and address, and is deleted with the user", async () => {
  const sender = await world.user();
  await world.call("POST", `/projects/${open.id}/issues`, {
    token: sender.token,
    json: spam,
    headers: { "user-agent": "a robot" },
  });
  const ids = [...world.store.of(spamLogs).by.user_id.find(sender.id)];
  expect(ids.map((id) => world.store.of(spamLogs).get(id))).toEqual([
    {
      id: ids[0] as number,
      user_id: sender.id,
      source_ip: "127.0.0.1",
      user_agent: "a robot",
      via_api: true,
      noteable_type: "Issue",
      title: spam.title,
      description: spam.description,
      recaptcha_verified: false,
      created_at: world.clock.time(),
    },
  ]);
  await world.call("DELETE", `/users/${sender.id}`, { token: rootToken });
  expect([...world.store.of(spamLogs).by.user_id.find(sender.id)]).toEqual([]);
});
