import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  const token = "a-token-for-tests-0123456789";
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-epics-and-notes.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: token });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

describe("gitbeaker, unmodified, under Node", () => {
  test("creates, shows, changes and lists epics", () => {
    expect(seen.epic).toMatchObject({
      iid: 1,
      title: "Quiet & quick",
      labels: ["noise", "speed"],
      start_date: "2030-01-02",
      references: { full: "acme&1" },
    });
    expect(seen.shown).toEqual(seen.epic);
    expect(seen.edited).toMatchObject({ labels: ["noise", "van"], state: "closed" });
    expect(seen.child).toMatchObject({ parent_id: seen.epic.id, confidential: true });
    expect([seen.listed, seen.closed, seen.asMara]).toEqual([["Quiet", "Quiet & quick"], [1], [1]]);
  });

  test("adds issues to an epic, reorders them and removes them", () => {
    expect(seen.assigned).toMatchObject({ epic: { iid: 1 }, issue: { title: "Wheels squeak" } });
    expect(seen.order[0]).toBe(seen.assigned.id);
    expect([seen.moved, seen.left]).toEqual([["Doors rust", "Wheels squeak"], ["Wheels squeak"]]);
    expect(seen.epicOfIssue).toMatchObject({ id: seen.epic.id, title: "Quiet & quick" });
  });

  test("creates, lists and changes notes", () => {
    expect(seen.note).toMatchObject({ body: "Oil **them**", noteable_iid: 1, author: { username: "mara" } });
    expect([seen.notes, seen.notesOfMara]).toEqual([["Between us", "Oil **them**"], ["Oil **them**"]]);
    expect([seen.editedNote, seen.shownNote, seen.count]).toEqual(["Grease them", "Grease them", 2]);
  });

  test("reacts to issues and notes", () => {
    expect(seen.award).toMatchObject({ name: "thumbsup", awardable_type: "Issue", user: { username: "mara" } });
    expect([seen.shownAward, seen.noteAward, seen.noteAwards, seen.votes]).toEqual(["thumbsup", "Note", ["tada"], 1]);
    expect(seen.awardsLeft).toEqual([]);
  });

  test("gets 404 for deleted things", () => {
    expect(seen.after).toMatchObject({ epic: null, user_notes_count: 1, upvotes: 0 });
  });

  test.each([
    ["twice", 404, "404 Award Emoji Name has already been taken Not Found"],
    ["unknown", 404, "404 Award Emoji Name is not a valid emoji name Not Found"],
    ["foreignEpic", 403, "403 Forbidden"],
    ["hiddenEpic", 404, "404 Epic Not Found"],
    ["title", 400, '{"title":["can\'t be blank"]}'],
    ["foreignNote", 404, "404 Note Not Found"],
  ])("reports why %s is refused", (name, status, description) => {
    expect(seen.refused[name]).toEqual({ status, description });
  });
});
