import { describe, expect, test } from "bun:test";
import { picture, pictureFile } from "../../support/browser/pictures.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });

function form(fields: Readonly<Record<string, string | File>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
const fetchPicture = (url: string, token?: string) =>
  fetch(url, token === undefined ? {} : { headers: { "PRIVATE-TOKEN": token } });

describe("the avatar of a project", () => {
  test("is uploaded with it, changed, and removed, and shown to users who see the project", async () => {
    const multipart = form({ name: "drawn", avatar: pictureFile("png", "../face one.png") });
    const { status, body } = await world.call("POST", "/projects", { token: ann.token, multipart });
    expect(status).toBe(201);
    expect(body.avatar_url).toBe(`${world.origin}/uploads/-/system/project/avatar/${body.id}/face_one.png`);
    const shown = await fetchPicture(body.avatar_url, ann.token);
    expect(shown.headers.get("content-type")).toBe("image/png");
    expect(shown.headers.get("cache-control")).not.toContain("public");
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(picture("png"));
    for (const token of [undefined, bob.token]) expect((await fetchPicture(body.avatar_url, token)).status).toBe(404);

    const changed = await world.call("PUT", `/projects/${body.id}`, {
      token: ann.token,
      multipart: form({ avatar: pictureFile("gif", "other.gif"), visibility: "public" }),
    });
    expect(changed.body.avatar_url).toEndWith("/other.gif");
    expect((await fetchPicture(changed.body.avatar_url)).status).toBe(200);
    expect((await fetchPicture(body.avatar_url)).status).toBe(404);

    const cleared = await world.call("PUT", `/projects/${body.id}`, { token: ann.token, json: { avatar: "" } });
    expect(cleared.body.avatar_url).toBeNull();
    expect((await fetchPicture(changed.body.avatar_url)).status).toBe(404);
  });

  test("must be an image, within the size limit", async () => {
    const multipart = form({ name: "text", avatar: new File(["<svg onload=x>"], "a.png") });
    const { status, body } = await world.call("POST", "/projects", { token: ann.token, multipart });
    expect(status).toBe(400);
    expect(body.message.avatar[0]).toStartWith("file format is not supported");
    const big = form({ name: "big", avatar: new File([picture("png"), new Uint8Array(205_000)], "a.png") });
    expect((await world.call("POST", "/projects", { token: ann.token, multipart: big })).body).toEqual({
      message: { avatar: ["is too big (should be at most 200 KiB)"] },
    });
  });
});

test("a picture without a file name, and one with a hostile name, become avatars at once", async () => {
  const send = (name: string) =>
    world.call("PUT", "/user/avatar", { token: ann.token, multipart: form({ avatar: pictureFile("png", name) }) });
  expect((await send("")).body.avatar_url).toEndWith("/avatar.png");
  expect((await send(`${"\u0315".repeat(500)}${"\u0300".repeat(500)}`)).status).toBe(200);
  const { status, body } = await send("a".repeat(1_025));
  expect([status, body]).toEqual([400, { error: "File name too long" }]);
  const artifact = await world.call("POST", "/projects", {
    token: ann.token,
    multipart: form({ name: "no file", avatar: new File([], "") }),
  });
  expect([artifact.status, artifact.body.avatar_url]).toEqual([201, null]);
});

describe("a deleted user", () => {
  test("takes their own projects along, and their stars", async () => {
    const make = async (token: string, json: object) =>
      (await world.call("POST", "/projects", { token, json: { visibility: "public", ...json } })).body;
    const going = await world.user({ username: "going" });
    const [own, other] = [await make(going.token, { name: "own" }), await make(bob.token, { name: "other" })];
    for (const { id } of [own, other]) await world.call("POST", `/projects/${id}/star`, { token: going.token });
    expect((await world.call("DELETE", `/users/${going.id}`, { token: rootToken })).status).toBe(204);
    expect((await world.get(`/projects/${own.id}`)).status).toBe(404);
    expect((await world.get("/projects/going%2Fown")).status).toBe(404);
    expect((await world.get(`/projects/${other.id}`)).body.star_count).toBe(0);
    await world.jobsDone();
    expect((await world.get("/-/jobs")).body).toEqual([]);
  });
});

test("the author of a transferred project gets a mail", async () => {
  const { body } = await world.call("POST", "/projects", { token: ann.token, json: { name: "moving" } });
  await world.call("PUT", `/projects/${body.id}`, { token: rootToken, json: { path: "moved" } });
  await world.call("PUT", `/projects/${body.id}/transfer`, { token: rootToken, json: { namespace: "bob" } });
  const mails = (await world.get("/-/outbox")).body.filter(({ event }: { event: string }) => event === "moved_project");
  expect(mails.map(({ to }: { to: string }) => to)).toContain(ann.email);
});
