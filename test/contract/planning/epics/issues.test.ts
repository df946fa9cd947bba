import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { epicIssues } from "../../../../src/modules/planning/epics/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { group, project, person, epic, issue } = await setTracker(world);
const { project: makeProject, member } = placesOf(world);
const planner = await person(accessLevels.planner);
const guest = await person(accessLevels.guest);

const pathOf = ({ iid }: Json) => `/groups/${group.id}/epics/${iid}/issues`;
const add = (to: Json, { id }: Json, token = planner.token) => world.call("POST", `${pathOf(to)}/${id}`, { token });
const move = (of: Json, linkId: number, json: Json, token = planner.token) =>
  world.call("PUT", `${pathOf(of)}/${linkId}`, { token, json });
const list = async (of: Json, token = planner.token): Promise<Json> =>
  (await world.call("GET", pathOf(of), { token })).body;
const titles = async (of: Json, token?: string): Promise<string[]> =>
  (await list(of, token)).map(({ title }: Json) => title);

async function filled(count: number): Promise<{ made: Json; links: number[] }> {
  const made = await epic();
  const links: number[] = [];
  for (let at = 0; at < count; at += 1) links.push((await add(made, await issue({ title: `${at}` }))).body.id);
  return { made, links };
}

describe("an issue that is added to an epic", () => {
  test("is answered with its epic and its position", async () => {
    const [made, held] = [await epic(), await issue()];
    const { status, body } = await add(made, held);
    expect(status).toBe(201);
    const { subscribed: _, ...listed } = made;
    expect(body).toEqual({
      id: expect.any(Number),
      epic: listed,
      issue: expect.objectContaining({ id: held.id, iid: held.iid, epic_iid: made.iid }),
      relative_position: expect.any(Number),
    });
    expect(await list(made)).toEqual([
      {
        ...body.issue,
        references: expect.anything(),
        epic_issue_id: body.id,
        relative_position: body.relative_position,
      },
    ]);
    expect((await list(made))[0].references.relative).toBe(`van#${held.iid}`);
    const { body: shown } = await world.get(`/projects/${project.id}/issues/${held.iid}`);
    expect(shown.epic).toMatchObject({ id: made.id, iid: made.iid, group_id: group.id });
  });

  test("leaves its former epic, and keeps its position in the same one", async () => {
    const [one, other] = [await epic(), await epic()];
    const [first, second] = [await issue({ title: "first" }), await issue({ title: "second" })];
    const { body: link } = await add(one, first);
    await add(one, second);
    expect((await add(one, first)).body).toMatchObject({ id: link.id, relative_position: link.relative_position });
    expect(await titles(one)).toEqual(["first", "second"]);
    const { body: moved } = await add(other, first);
    expect(moved.id).not.toBe(link.id);
    expect([await titles(one), await titles(other)]).toEqual([["second"], ["first"]]);
  });

  test("is named by its id, and must be readable and plannable for the caller", async () => {
    const made = await epic();
    const { status, body } = await add(made, { id: 999_999 });
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 Issue Not Found" } });
    expect((await add(made, await issue(), guest.token)).status).toBe(403);
    const elsewhere = placesOf(world).group({ path: "elsewhere", visibility: "public" });
    const open = makeProject(elsewhere.id, { path: "open", visibility: "public" });
    const foreign = await issue({}, { projectId: open.id });
    expect((await add(made, foreign)).status).toBe(403);
    member(open, planner.id, accessLevels.planner);
    expect((await add(made, foreign)).status).toBe(201);
    const archived = makeProject(group.id, { path: "old", visibility: "private" });
    const old = await issue({}, { projectId: archived.id });
    placesOf(world).alterProject(archived, { archived: true });
    expect((await add(made, old)).status).toBe(403);
  });
});

describe("the list of an epic's issues", () => {
  test("leaves out issues that the caller cannot read", async () => {
    const made = await epic();
    await add(made, await issue({ title: "open" }));
    await add(made, await issue({ title: "secret", confidential: true }));
    expect(await titles(made)).toEqual(["open", "secret"]);
    expect(await titles(made, guest.token)).toEqual(["open"]);
    const { headers } = await world.call("GET", pathOf(made), { token: guest.token });
    expect(headers.get("x-total")).toBe("1");
    const closed = await epic({ confidential: true });
    expect((await world.call("GET", pathOf(closed), { token: guest.token })).status).toBe(404);
  });

  test("has pages", async () => {
    const { made } = await filled(3);
    const query = { per_page: 2, page: 2 };
    const { body, headers } = await world.call("GET", pathOf(made), { token: planner.token, query });
    expect(body.map(({ title }: Json) => title)).toEqual(["2"]);
    expect(headers.get("x-total")).toBe("3");
  });
});

describe("an issue in an epic moves", () => {
  test("right behind one, right before another, or stays", async () => {
    const { made, links } = await filled(4);
    const moved = await move(made, links[3] as number, { move_before_id: links[0] });
    expect(moved.status).toBe(200);
    expect(moved.body.map(({ title }: Json) => title)).toEqual(["0", "3", "1", "2"]);
    await move(made, links[2] as number, { move_after_id: links[0] });
    expect(await titles(made)).toEqual(["2", "0", "3", "1"]);
    await move(made, links[2] as number, { move_before_id: links[3], move_after_id: links[1] });
    expect(await titles(made)).toEqual(["0", "3", "2", "1"]);
    await move(made, links[2] as number, {});
    await move(made, links[2] as number, { move_before_id: links[2] });
    expect(await titles(made)).toEqual(["0", "3", "2", "1"]);
  });

  test("to the requested position, any number of times", async () => {
    const { made, links } = await filled(6);
    const place = fc.integer({ min: 0, max: links.length - 1 });
    const moves = fc.array(fc.tuple(place, place, fc.boolean()), { minLength: 40, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        let expected = (await list(made)).map((each: Json) => each.epic_issue_id);
        for (const [from, to, isBehind] of all) {
          const [link, other] = [links[from] as number, links[to] as number];
          const json = isBehind ? { move_before_id: other } : { move_after_id: other };
          const { body } = await move(made, link, json);
          if (link !== other) {
            const rest = expected.filter((id: number) => id !== link);
            const at = rest.indexOf(other) + (isBehind ? 1 : 0);
            expected = [...rest.slice(0, at), link, ...rest.slice(at)];
          }
          expect(body.map((each: Json) => each.epic_issue_id)).toEqual(expected);
        }
      }),
      { numRuns: 5 },
    );
  });

  test("only beside others of its epic", async () => {
    const [one, other] = [await filled(2), await filled(1)];
    const missing = { message: "404 Epic Issue Not Found" };
    for (const name of ["move_before_id", "move_after_id"]) {
      const { status, body } = await move(one.made, one.links[0] as number, { [name]: other.links[0] });
      expect({ status, body }).toEqual({ status: 404, body: missing });
    }
    expect((await move(one.made, other.links[0] as number, {})).body).toEqual(missing);
    expect((await move(one.made, one.links[0] as number, { move_after_id: "x" })).status).toBe(400);
    expect((await move(one.made, one.links[0] as number, {}, guest.token)).status).toBe(403);
  });
});

describe("an issue that is removed from an epic", () => {
  test("is answered with the epic, by the id of the link", async () => {
    const { made, links } = await filled(2);
    const remove = (linkId: number, token = planner.token) =>
      world.call("DELETE", `${pathOf(made)}/${linkId}`, { token });
    expect((await remove(links[0] as number, guest.token)).status).toBe(403);
    const { status, body } = await remove(links[0] as number);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: links[0], epic: { id: made.id }, issue: { title: "0", epic: null, epic_iid: null } },
    });
    expect(await titles(made)).toEqual(["1"]);
    expect((await remove(links[0] as number)).status).toBe(404);
  });

  test("is unlinked when the issue or the epic is deleted", async () => {
    const { made, links } = await filled(2);
    const [{ iid, title }, other] = await list(made);
    expect(title).toBe("0");
    await world.call("DELETE", `/projects/${project.id}/issues/${iid}`, { token: rootToken });
    expect(world.store.of(epicIssues).get(links[0] as number)).toBe(undefined);
    await world.call("DELETE", `/groups/${group.id}/epics/${made.iid}`, { token: rootToken });
    expect(world.store.of(epicIssues).get(links[1] as number)).toBe(undefined);
    expect((await world.get(`/projects/${project.id}/issues/${other.iid}`)).body.epic).toBe(null);
  });
});
