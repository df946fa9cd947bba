import { expect, test } from "bun:test";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

test.each([
  ["community", ["new_issue", "reassign_issue"]],
  ["premium", ["new_issue", "reassign_issue"]],
  ["ultimate", ["new_issue", "new_epic", "reassign_issue"]],
] as const)("in %s, watchers of a group get a mail about %j", async (edition, expected) => {
  const world = await startWorld({ edition });
  const places = placesOf(world);
  const group = places.group({ visibility: "public" });
  const project = places.project(group.id, { visibility: "public" });
  const [watcher, one, two] = [await world.user(), await world.user(), await world.user()];
  await world.call("PUT", "/notification_settings", { token: watcher.token, json: { level: "watch" } });
  const send = (method: string, path: string, json: unknown) => world.call(method, path, { token: rootToken, json });
  await send("POST", `/projects/${project.id}/issues`, { title: "Doors" });
  const epic = await send("POST", `/groups/${group.id}/epics`, { title: "Wheels" });
  expect(epic.status).toBe(edition === "community" ? 403 : 201);
  await send("PUT", `/projects/${project.id}/issues/1`, { assignee_ids: [one.id, two.id] });
  const log = world.store.logOf(mails);
  const written = Array.from({ length: log.size }, (_, at) => log.get(at + 1));
  const eventsTo = (email: string) => written.filter((mail) => mail?.to === email).map((mail) => mail?.event);
  expect(eventsTo(watcher.email)).toEqual([...expected]);
  expect(eventsTo(two.email)).toEqual(edition === "community" ? [] : ["reassign_issue"]);
});
