import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { updateProjectRecord } from "../../../../src/modules/core/namespaces/index.ts";
import { notifyOfMovedProject, removeSettingsOfSource } from "../../../../src/modules/notifications/settings/index.ts";
import { notificationSettings } from "../../../../src/modules/notifications/settings/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { store, context } = world;
const places = placesOf(world);
const [ann, bob, eve] = [await world.user(), await world.user(), await world.user()];
const group = places.group({ path: "acme" });
for (const { id } of [ann, bob, eve]) places.member(group, id, accessLevels.maintainer);

test("a move sends mails to the project's author, watchers and users who flagged it, not to the user who moved it", async () => {
  const project = places.project(group.id, { path: "api", creator_id: ann.id });
  for (const { token } of [bob, eve]) {
    const path = `/projects/${project.id}/notification_settings`;
    await world.call("PUT", path, { token, json: { level: "custom" } });
  }
  const user = { ...eve, name: "", is_admin: false, is_auditor: false, external: false };
  const caller = { user, token: undefined, ipAddress: null };
  store.transact((tx) => {
    const renamed = updateProjectRecord(tx, store, { ...project, name: "Boats" });
    notifyOfMovedProject(tx, context, caller, project, renamed);
    const moved = updateProjectRecord(tx, store, { ...renamed, path: "boats" });
    notifyOfMovedProject(tx, context, caller, renamed, moved);
  });
  const { body } = await world.get("/-/outbox");
  expect(body.map(({ to, event }: { to: string; event: string }) => [to, event])).toEqual([
    [bob.email, "moved_project"],
    [ann.email, "moved_project"],
  ]);
  expect(body[0].subject).toBe("Boats | Project was moved");
  expect(body[0].text).toBe("Project acme/api was moved to another place.\n\nIt is now acme/boats.\n");
});

test("settings are deleted with their source, in steps, or with their user", async () => {
  const project = places.project(group.id);
  const source = { type: "project", id: project.id } as const;
  for (const { token } of [ann, bob, eve]) {
    for (const path of [`/projects/${project.id}`, ""])
      await world.call("PUT", `${path}/notification_settings`, { token, json: { level: "watch" } });
  }
  const rows = store.of(notificationSettings);
  const before = rows.size;
  expect(store.transact((tx) => removeSettingsOfSource(tx, store, source, 2))).toBe(2);
  expect(rows.size).toBe(before - 2);
  expect(store.transact((tx) => removeSettingsOfSource(tx, store, source, 2))).toBe(1);
  expect(store.transact((tx) => removeSettingsOfSource(tx, store, source))).toBe(0);
  expect(rows.size).toBe(before - 3);
  const path = `/users/${ann.id}`;
  expect((await world.call("DELETE", path, { token: rootToken, query: { hard_delete: true } })).status).toBe(204);
  expect([...rows.by.user_id.find(ann.id)]).toEqual([]);
  expect([...rows.by.user_id.find(bob.id)]).not.toEqual([]);
});
