import { expect, test } from "bun:test";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { type Person, startWorld } from "../../../support/fixtures/world.ts";
import { freePort } from "../../../support/process/free-port.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeReleases } from "../../releases/setting.ts";

const world = await startWorld({ port: await freePort() });
const { send, project, at } = await makeReleases(world);
const roles = ["guest", "reporter", "developer", "maintainer"] as const;
const people = [] as Person[];
for (const role of roles) {
  const person = await world.user({ username: role, name: role });
  addMember(world, project, person, role, "project");
  people.push(person);
}
const [guest, custom, actor, participating] = people as [Person, Person, Person, Person];
const set = (person: Person, json: object) =>
  send("PUT", `/projects/${project.id}/notification_settings`, person.token, json);

/** The new mails, each with its receiver. */
async function mailsOf(act: () => Promise<unknown>) {
  const log = world.store.logOf(mails);
  const before = log.size;
  await act();
  return Array.from({ length: log.size - before }, (_, index) => log.get(before + index + 1));
}

test("a release is told to those who watch the project or chose it", async () => {
  await set(guest, { level: "watch" });
  await set(custom, { level: "custom", new_release: true });
  await set(actor, { level: "watch" });
  await set(participating, { level: "custom", new_issue: true });
  const json = { tag_name: "v/1", ref: "main", name: "One", description: "All of it" };
  const sent = await mailsOf(() => send("POST", at, actor.token, json));
  expect(sent.map((mail) => [mail?.to, mail?.event])).toEqual([
    [guest.email, "new_release"],
    [custom.email, "new_release"],
  ]);
  const address = `${world.origin}/${project.path_with_namespace}/-/releases/v%2F1`;
  expect([sent[0]?.subject, sent[0]?.text]).toEqual([
    `${project.name} | New release: One (v/1)`,
    `developer (@developer) released v/1 of ${project.path_with_namespace}.\n\nAll of it\n\n${address}\n`,
  ]);
});

test("nobody is told who does not see releases", async () => {
  await send("PUT", `/projects/${project.id}`, undefined, { visibility: "public", releases_access_level: "private" });
  const stranger = await world.user();
  await set(stranger, { level: "watch" });
  const sent = await mailsOf(() => send("POST", at, actor.token, { tag_name: "v2", ref: "main" }));
  expect(sent.map((mail) => mail?.to)).toEqual([guest.email, custom.email]);
});
