import { expect, test } from "bun:test";
import type { Json } from "../../../support/fixtures/world.ts";
import { issueScene } from "./scene.ts";

const { world, project, create, mia, guest, stranger } = await issueScene();

const order = async (): Promise<number[]> => {
  const query = { order_by: "relative_position", sort: "asc", per_page: 100 };
  return (await world.call("GET", `/projects/${project.id}/issues`, { query })).body.map(({ id }: Json) => id);
};
const reorder = (iid: number, json: Json, token: string | undefined = mia.token) =>
  world.call("PUT", `/projects/${project.id}/issues/${iid}/reorder`, { token, json });

test("an issue is put between others, however often", async () => {
  const [a, b, c, d] = [
    await create(mia.token),
    await create(mia.token),
    await create(mia.token),
    await create(mia.token),
  ];
  expect(await order()).toEqual([a.id, b.id, c.id, d.id]);
  const { status, body } = await reorder(d.iid, { move_after_id: a.id, move_before_id: b.id });
  expect([status, body.id, body.updated_at]).toEqual([200, d.id, d.updated_at]);
  expect(await order()).toEqual([a.id, d.id, b.id, c.id]);
  await reorder(a.iid, { move_after_id: c.id });
  expect(await order()).toEqual([d.id, b.id, c.id, a.id]);
  await reorder(c.iid, { move_before_id: d.id });
  expect(await order()).toEqual([c.id, d.id, b.id, a.id]);
  // There is no room between two issues after twenty of these.
  let [last, other] = [d, b];
  for (let turn = 0; turn < 50; turn += 1) {
    expect((await reorder(other.iid, { move_after_id: c.id, move_before_id: last.id })).status).toBe(200);
    [last, other] = [other, last];
    expect((await order()).slice(0, 3)).toEqual([c.id, last.id, other.id]);
  }
});

test("an issue is not put beside what the caller cannot read, nor beside nothing", async () => {
  const [held, secret] = [await create(guest.token), await create(mia.token, { confidential: true })];
  const refused = { status: 422, body: { message: { error: "Unprocessable Entity" } } };
  for (const json of [{ move_after_id: secret.id }, { move_before_id: 9_999 }, {}]) {
    const { status, body } = await reorder(held.iid, json, guest.token);
    expect({ status, body }).toEqual(refused);
  }
  expect((await reorder(held.iid, { move_after_id: held.id }, stranger.token)).status).toBe(403);
  expect((await reorder(9_999, { move_after_id: held.id })).body).toEqual({ message: "404 Issue Not Found" });
});
