import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type EpicRecord, epics } from "../../../../src/modules/planning/epics/records.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { group, project, person, epic, issue } = await setTracker(world);
const planner = await person(accessLevels.planner);
const guest = await person(accessLevels.guest);
const outsider = await world.user();

const path = `/groups/${group.id}/epics`;
const show = async (iid: number) => (await world.get(`${path}/${iid}`)).body;

describe("access", () => {
  test("to make an epic the parent of another one is for planners of its group", async () => {
    const parent = await epic();
    const { body: own } = await world.call("POST", "/groups", {
      token: guest.token,
      json: { name: "Of the guest", path: "of-the-guest" },
    });
    const become = (access_level: number) =>
      world.call("PUT", `/groups/${group.id}/members/${guest.id}`, { token: rootToken, json: { access_level } });
    const make = (parent_id: number) =>
      world.call("POST", `/groups/${own.id}/epics`, { token: guest.token, json: { title: "below", parent_id } });
    expect((await make(parent.id)).body).toEqual({ message: "403 Forbidden" });
    await become(accessLevels.planner);
    const made = await make(parent.id);
    expect([made.status, made.body.parent_id]).toEqual([201, parent.id]);
    await become(accessLevels.guest);
    const json = { parent_id: parent.id, title: "renamed" };
    const change = await world.call("PUT", `/groups/${own.id}/epics/${made.body.iid}`, { token: guest.token, json });
    expect([change.status, change.body.title]).toEqual([200, "renamed"]);
  });

  test("to read is for all who see the group, to confidential ones from planner on", async () => {
    const open = await epic();
    const hidden = await epic({ confidential: true });
    const status = async (iid: number, token?: string) =>
      (await world.call("GET", `${path}/${iid}`, token === undefined ? {} : { token })).status;
    expect([await status(open.iid, guest.token), await status(hidden.iid, guest.token)]).toEqual([200, 404]);
    expect([await status(open.iid, planner.token), await status(hidden.iid, planner.token)]).toEqual([200, 200]);
    expect([await status(open.iid), await status(open.iid, outsider.token)]).toEqual([401, 404]);
    const auditor = await world.user();
    world.alter(auditor.id, { is_auditor: true });
    expect([await status(hidden.iid, auditor.token), await status(99_999, planner.token)]).toEqual([200, 404]);
  });

  test("to a confidential one is 404 as for an unknown number", async () => {
    const { iid } = await epic({ confidential: true });
    const { body } = await world.call("GET", `${path}/${iid}`, { token: guest.token });
    expect(body).toEqual({ message: "404 Epic Not Found" });
    expect((await world.call("GET", `${path}/9999`, { token: guest.token })).body).toEqual(body);
  });

  test("to delete is for owners, planners and administrators", async () => {
    const expected = { guest: 403, planner: 204, reporter: 403, developer: 403, maintainer: 403, owner: 204 } as const;
    for (const [role, status] of Object.entries(expected)) {
      const { token } = await person(accessLevels[role as keyof typeof expected]);
      const { iid } = await epic();
      expect({ role, status: (await world.call("DELETE", `${path}/${iid}`, { token })).status }).toEqual({
        role,
        status,
      });
    }
    const { iid } = await epic();
    expect((await world.call("DELETE", `${path}/${iid}`, { token: rootToken })).status).toBe(204);
    expect((await world.call("DELETE", `${path}/${iid}`, { token: rootToken })).status).toBe(404);
  });
});

describe("a deletion", () => {
  test("is refused when the epic has changed since the caller's read", async () => {
    const { iid } = await epic();
    const headers = { "If-Unmodified-Since": new Date(world.clock.now() - 60_000).toUTCString() };
    expect((await world.call("DELETE", `${path}/${iid}`, { token: rootToken, headers })).status).toBe(412);
    expect((await world.get(`${path}/${iid}`)).status).toBe(200);
  });

  test("unlinks issues and epics below", async () => {
    const { id, iid } = await epic();
    const child = await epic({ parent_id: id });
    const held = await issue({ epic_id: id });
    expect(held.epic_iid).toBe(iid);
    await world.call("DELETE", `${path}/${iid}`, { token: rootToken });
    expect((await world.get(`/projects/${project.id}/issues/${held.iid}`)).body).toMatchObject({ epic: null });
    expect((await show(child.iid)).parent_id).toBe(null);
    expect(world.store.of(epics).get(id)).toBe(undefined);
  });

  test("leaves the part that is too large for one request to a job", async () => {
    const { id, iid } = await epic();
    const draft = world.store.of(epics).get(id) as EpicRecord;
    const children = world.store.transact((tx) =>
      Array.from({ length: 230 }, (_, at) =>
        tx.insert(epics, { ...draft, id: tx.nextId("epics"), iid: 1_000 + at, parent_id: id }),
      ),
    );
    await world.call("DELETE", `${path}/${iid}`, { token: rootToken });
    await world.jobsDone();
    expect(world.store.of(epics).by.parent_id.find(id).size).toBe(0);
    expect(children.map((child) => world.store.of(epics).get(child.id)?.parent_id)).toEqual(children.map(() => null));
  });
});
