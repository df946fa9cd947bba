import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, group, person, issue } = await setTracker(world, "public");
const planner = await person(accessLevels.planner);
const other = await person(accessLevels.developer);
const guest = await person(accessLevels.guest);
const label = async (name: string) =>
  (await world.call("POST", `/projects/${project.id}/labels`, { token: rootToken, json: { name, color: "#112233" } }))
    .body;
const [bug, wide] = [await label("bug"), await label("two words")];
const milestone = (
  await world.call("POST", `/projects/${project.id}/milestones`, { token: rootToken, json: { title: "next year" } })
).body;

const pathOf = ({ iid }: Json, rest = "") => `/projects/${project.id}/issues/${iid}${rest}`;
const say = async (held: Json, body: string, token: string | undefined = planner.token) => {
  const answer = await world.call("POST", pathOf(held, "/notes"), { token, json: { body } });
  return { status: answer.status, body: answer.body };
};
const shown = async (held: Json) => (await world.call("GET", pathOf(held), { token: rootToken })).body;

describe("a note of quick actions alone leaves no note, and changes the issue", () => {
  const day = (distance: number) => new Date(world.clock.now() + distance * 86_400_000).toISOString().slice(0, 10);
  test.each([
    ["/close", { state_event: "close" }, "Closed this issue.", { state: "closed" }],
    ["/CLOSE", { state_event: "close" }, "Closed this issue.", { state: "closed" }],
    ["/title Brakes", { title: "Brakes" }, 'Changed the title to "Brakes".', { title: "Brakes" }],
    ["/label ~bug", { add_label_ids: [bug.id] }, 'Added ~"bug" label.', { labels: ["bug"] }],
    ["/labels bug", { add_label_ids: [bug.id] }, 'Added ~"bug" label.', { labels: ["bug"] }],
    [
      `/label ~${bug.id} ~"two words"`,
      { add_label_ids: [bug.id, wide.id] },
      'Added ~"bug" ~"two words" labels.',
      { labels: ["bug", "two words"] },
    ],
    [`/assign @${other.username}`, { assignee_ids: [other.id] }, `Assigned @${other.username}.`, {}],
    [
      `/assign me and @${other.username}`,
      { assignee_ids: [planner.id, other.id] },
      `Assigned @${planner.username} and @${other.username}.`,
      {},
    ],
    ['/milestone %"next year"', { milestone_id: milestone.id }, 'Set the milestone to %"next year".', {}],
    ["/milestone next year", { milestone_id: milestone.id }, 'Set the milestone to %"next year".', {}],
    ["/due 2024-05-09", { due_date: "2024-05-09" }, "Set the due date to May 9, 2024.", { due_date: "2024-05-09" }],
    ["/due tomorrow", { due_date: day(1) }, expect.stringMatching(/^Set the due date to /), { due_date: day(1) }],
    ["/due in 2 days", { due_date: day(2) }, expect.stringMatching(/^Set the due date to /), { due_date: day(2) }],
    ["/due nonsense", {}, "Failed to set due date because the date format is invalid.", { due_date: null }],
    ["/estimate 1w 3d", { time_estimate: 230_400 }, "Set time estimate to 1w 3d.", {}],
    [
      "/spend 1d",
      { spend_time: { duration: 28_800, user_id: planner.id, spent_at: day(0) } },
      "Added 1d spent time.",
      {},
    ],
    ["/lock", { discussion_locked: true }, "Locked the discussion.", { discussion_locked: true }],
    ["/confidential", { confidential: true }, "Made this issue confidential.", { confidential: true }],
    ["/award :tada:", { emoji_award: "tada" }, "Toggled :tada: emoji reaction.", {}],
    ["/react :+1:", { emoji_award: "thumbsup" }, "Toggled :+1: emoji reaction.", { upvotes: 1 }],
    ["/subscribe", { subscription_event: "subscribe" }, "Subscribed to notifications.", {}],
    ["/type incident", { issue_type: "incident" }, "Type changed successfully.", { issue_type: "incident" }],
    ["/type nothing", {}, "Failed to convert this work item: Provided type is not supported.", {}],
    ["/weight 3", { weight: 3 }, "Set weight to 3.", { weight: 3 }],
    ["/reopen", {}, "Could not apply reopen command.", { state: "opened" }],
    ["/assign @nobody-at-all", {}, "Could not apply assign command. Failed to find users for '@nobody-at-all'.", {}],
    [
      "/close\n/label ~bug",
      { state_event: "close", add_label_ids: [bug.id] },
      'Closed this issue. Added ~"bug" label.',
      { state: "closed", labels: ["bug"] },
    ],
  ] as [string, Json, unknown, Json][])("%s", async (body, changes, summary, after) => {
    const held = await issue();
    expect(await say(held, body)).toEqual({ status: 202, body: { commands_changes: changes, summary: [summary] } });
    expect(await shown(held)).toMatchObject({ ...after, user_notes_count: 0 });
  });

  test.each([
    [
      "estimate",
      "1m ".repeat(400),
      "Could not apply estimate command. The argument is too long (maximum is 1024 characters).",
    ],
    [
      "label",
      "~a".repeat(20_000),
      "Could not apply label command. The argument is too long (maximum is 32768 characters).",
    ],
    [
      "move",
      "a/".repeat(5_000),
      "Could not apply move command. The argument is too long (maximum is 8192 characters).",
    ],
    ["due", "1 m ".repeat(25), "Failed to set due date because the date format is invalid."],
    ["due", `in ${" ".repeat(500)}2 days`, expect.stringMatching(/^Set the due date to /)],
  ] as [string, string, unknown][])(
    "or says that the argument of /%s is too long (%#)",
    async (name, argument, summary) => {
      expect((await say(await issue(), `/${name} ${argument}`)).body.summary).toEqual([summary]);
    },
  );

  test("or is refused for the work of many dates", async () => {
    const due = await say(await issue(), "/due in 2 days\n".repeat(60));
    expect(due).toEqual({ status: 400, body: { message: expect.stringContaining("too much work") } });
    expect((await say(await issue(), "/due 2024-05-09\n".repeat(60))).status).toBe(202);
  });

  test("and looks for a hundred labels, each name once", async () => {
    const unknown = Array.from({ length: 99 }, (_, at) => `~none${at} `).join("");
    expect((await say(await issue(), `/label ${"~x ".repeat(500)}${unknown.slice(0, -8)} ~bug`)).status).toBe(202);
    expect((await say(await issue(), `/label ~x ${unknown} ~bug`)).status).toBe(400);
  });

  test("and takes away what is there", async () => {
    const held = await issue({
      ...{ labels: "bug,two words", assignee_ids: [other.id, planner.id], milestone_id: milestone.id },
      ...{ due_date: "2024-05-09", weight: 3 },
    });
    await say(held, "/estimate 2h\n/spend 1h\n/lock");
    const steps = [
      [`/unassign @${other.username}`, `Removed assignee @${other.username}.`, { assignee: { id: planner.id } }],
      ["/unassign", `Removed assignee @${planner.username}.`, { assignees: [] }],
      ["/unlabel ~bug", 'Removed ~"bug" label.', { labels: ["two words"] }],
      ["/relabel ~bug", 'Replaced all labels with ~"bug" label.', { labels: ["bug"] }],
      ["/unlabel", "Removed all labels.", { labels: [] }],
      ["/remove_milestone", 'Removed %"next year" milestone.', { milestone: null }],
      ["/remove_due_date", "Removed the due date.", { due_date: null }],
      ["/remove_estimate", "Removed time estimate.", { time_stats: { time_estimate: 0 } }],
      ["/spend -30m", "Subtracted 30m spent time.", { time_stats: { total_time_spent: 1_800 } }],
      ["/remove_time_spent", "Removed spent time.", { time_stats: { total_time_spent: 0 } }],
      ["/unlock", "Unlocked the discussion.", { discussion_locked: false }],
      ["/clear_weight", "Cleared weight.", { weight: null }],
    ] as [string, string, Json][];
    for (const [body, summary, after] of steps) {
      expect((await say(held, body)).body.summary).toEqual([summary]);
      expect(await shown(held)).toMatchObject(after);
    }
  });

  test("a reaction is removed by the same action", async () => {
    const held = await issue();
    for (const count of [1, 0]) {
      await say(held, "/award :thumbsup:");
      expect((await shown(held)).upvotes).toBe(count);
    }
  });

  test("an issue is moved", async () => {
    const held = await issue();
    const json = { name: "van-three", namespace_id: group.id, visibility: "public" };
    const target = (await world.call("POST", "/projects", { token: rootToken, json })).body;
    const missing = "Unable to move. Target project or group doesn't exist or doesn't support this item type.";
    expect((await say(held, "/move no/where")).body.summary).toEqual([missing]);
    const { status, body } = await say(held, `/move ${target.path_with_namespace}`);
    expect([status, body.commands_changes]).toEqual([202, {}]);
    expect(body.summary).toEqual([`Moved this item to ${target.path_with_namespace}.`]);
    const moved = world.store.of(issues).get((await shown(held)).moved_to_id);
    expect(moved).toMatchObject({ project_id: target.id, title: held.title, state: "opened" });
  });

  test("an issue stays where it is, unless its user may move it to the other project", async () => {
    const target = async (changes: Json) => {
      const json = { name: `van-${Math.random()}`, namespace_id: group.id, visibility: "public", ...changes };
      return (await world.call("POST", "/projects", { token: rootToken, json })).body;
    };
    const archived = await target({});
    await world.call("POST", `/projects/${archived.id}/archive`, { token: rootToken });
    const own = (await world.call("GET", `/projects/${project.id}`, { token: rootToken })).body;
    const refused = "Unable to move. Insufficient permissions.";
    for (const [path, summary] of [
      [own.path_with_namespace, "Cannot move issue to project it originates from!"],
      [(await target({ issues_access_level: "disabled" })).path_with_namespace, refused],
      [archived.path_with_namespace, refused],
    ]) {
      const held = await issue();
      expect((await say(held, `/move ${path}`)).body.summary).toEqual([summary]);
      expect(await shown(held)).toMatchObject({ state: "opened", moved_to_id: null });
    }
  });

  test("an issue is closed as a duplicate, until it is opened again", async () => {
    const [held, original] = [await issue(), await issue()];
    const { body } = await say(held, `/duplicate #${original.iid}`);
    expect(body.commands_changes).toEqual({ canonical_issue_id: original.id });
    const { state, _links } = await shown(held);
    expect(state).toBe("closed");
    expect(_links.closed_as_duplicate_of).toEndWith(`/projects/${project.id}/issues/${original.iid}`);
    const query = { activity_filter: "only_activity", sort: "asc" };
    const texts = async (on: Json) =>
      (await world.call("GET", pathOf(on, "/notes"), { query })).body.map((each: Json) => each.body);
    expect(await texts(held)).toEqual(["closed", `marked this issue as a duplicate of #${original.iid}`]);
    expect(await texts(original)).toEqual([`marked #${held.iid} as a duplicate of this issue`]);
    await say(held, "/reopen");
    expect((await shown(held))._links.closed_as_duplicate_of).toBeNull();
  });
});

describe("quick actions that say nothing are refused", () => {
  test.each([
    "/spend something",
    "/label ~nowhere",
    "/milestone nowhere",
    "/estimate abc",
    "/award :no_emoji:",
    "/title",
  ])("%s", async (body) => {
    const held = await issue();
    const message = "400 Bad request - Failed to apply commands.";
    expect(await say(held, body)).toEqual({ status: 400, body: { message } });
  });

  test("as are a blank title and too many of them", async () => {
    const held = await issue();
    expect((await say(held, `/title ${"x".repeat(300)}`)).status).toBe(400);
    expect((await say(held, "/close\n".repeat(101))).body.message).toContain("too many quick actions");
    expect((await shown(held)).state).toBe("opened");
  });
});

describe("a note with text and quick actions", () => {
  test("is left with the text", async () => {
    const held = await issue();
    const { status, body } = await say(held, "hello\r\n/label ~bug\r\n\r\nworld\n/close  \n");
    expect([status, body.body]).toEqual([201, "hello\nworld"]);
    expect(body.commands_changes).toEqual({ add_label_ids: [bug.id], state_event: "close" });
    expect(await shown(held)).toMatchObject({ labels: ["bug"], state: "closed", user_notes_count: 1 });
  });

  test.each([
    "say /close",
    "/closer",
    "/unknown thing",
    "```\n/close\n```",
    ">>>\n/close\n>>>",
    "<div>\n/close\n</div>",
    "`\n/close\n`",
  ])("stays as it is where they are none: %j", async (text) => {
    const held = await issue();
    expect((await say(held, text)).body.body).toBe(text);
    expect((await shown(held)).state).toBe("opened");
  });

  test("is carried out behind a block that is never closed", async () => {
    const held = await issue();
    expect((await say(held, "```\n/close")).body.body).toBe("```");
    expect((await shown(held)).state).toBe("closed");
  });

  test("has what /shrug and /tableflip stand for", async () => {
    expect((await say(await issue(), "/shrug no idea")).body.body).toBe("no idea ¯\\＿(ツ)＿/¯");
    expect((await say(await issue(), "/tableflip")).body.body).toBe("(╯°□°)╯︵ ┻━┻");
  });
});

test("quick actions need the rights of the operations that they stand for", async () => {
  const held = await issue();
  const own = await issue({}, { token: guest.token });
  for (const body of [
    "/close",
    "/title x",
    "/label ~bug",
    "/assign me",
    "/lock",
    "/estimate 1h",
    "/confidential",
    "/due tomorrow",
  ]) {
    const name = /\w+/.exec(body)?.[0];
    expect((await say(held, body, guest.token)).body.summary).toEqual([`Could not apply ${name} command.`]);
  }
  expect(await shown(held)).toMatchObject({ state: "opened", labels: [], assignees: [], confidential: false });
  expect((await say(own, "/close", guest.token)).body.summary).toEqual(["Closed this issue."]);
  expect((await say(own, "/label ~bug", guest.token)).body.summary).toEqual(["Could not apply label command."]);
});

test("a note that is changed to quick actions alone is deleted", async () => {
  const held = await issue();
  const { body: made } = await say(held, "hello");
  const put = (body: string) =>
    world.call("PUT", pathOf(held, `/notes/${made.id}`), { token: planner.token, json: { body } });
  const kept = await put("bye\n/label ~bug");
  expect([kept.status, kept.body.body, kept.body.commands_changes]).toEqual([200, "bye", { add_label_ids: [bug.id] }]);
  const gone = await put("/close");
  expect([gone.status, gone.body.summary]).toEqual([202, ["Closed this issue."]]);
  expect(await shown(held)).toMatchObject({ state: "closed", labels: ["bug"], user_notes_count: 0 });
});

describe("quick actions in a description", () => {
  test("are carried out on a new issue and left out of the text", async () => {
    const description = `Oil\n/label ~bug\n/assign @${other.username}\n/estimate 1h\n/confidential\n/close`;
    const made = await issue({ description, labels: "two words" }, { token: planner.token });
    expect(made).toMatchObject({
      ...{ description: "Oil", labels: ["bug", "two words"], assignee: { id: other.id }, confidential: true },
      ...{ state: "opened", time_stats: { time_estimate: 3_600 } },
    });
  });

  test("are carried out on a change", async () => {
    const held = await issue();
    const json = { description: "Oil\n/close\n/award :tada:" };
    const { body } = await world.call("PUT", pathOf(held), { token: planner.token, json });
    expect(body).toMatchObject({ description: "Oil", state: "closed" });
    const awards = await world.call("GET", pathOf(held, "/award_emoji"), {});
    expect(awards.body.map(({ name }: Json) => name)).toEqual(["tada"]);
  });
});
