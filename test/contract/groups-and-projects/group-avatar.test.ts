import { describe, expect, test } from "bun:test";
import { picture, pictureFile } from "../../support/browser/pictures.ts";
import { makeGroup } from "../../support/fixtures/groups.ts";
import { type Json, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const mia = await world.user();

let count = 0;
const group = (attributes: Json = {}) => {
  count += 1;
  return makeGroup(world, { path: `group-${count}`, ...attributes }, ann.token);
};

function form(fields: Readonly<Record<string, string>>, file?: File): FormData {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
  if (file !== undefined) multipart.set("avatar", file);
  return multipart;
}

const put = (id: number, multipart: FormData) => world.call("PUT", `/groups/${id}`, { token: ann.token, multipart });
const read = async (url: string, token?: string) =>
  fetch(url, token === undefined ? {} : { headers: { "PRIVATE-TOKEN": token } });

describe("the avatar of a group", () => {
  test("is set at the creation or later, and is in every representation", async () => {
    const multipart = form({ name: "Pictured", path: "pictured" }, pictureFile("png", "logo.png"));
    const { status, body } = await world.call("POST", "/groups", { token: ann.token, multipart });
    const avatar_url = `${world.origin}/uploads/-/system/group/avatar/${body.id}/logo.png`;
    expect([status, body.avatar_url]).toEqual([201, avatar_url]);
    const changed = await put(body.id, form({ description: "x" }, pictureFile("gif", "new.gif")));
    expect(changed.body.description).toBe("x");
    expect(changed.body.avatar_url).toEndWith("/new.gif");
    expect((await read(avatar_url, ann.token)).status).toBe(404);
    const [entry] = (await world.get("/groups", { query: { search: "pictured" } })).body;
    expect(entry.avatar_url).toBe(changed.body.avatar_url);
  });

  test("is shown to users who can see the group", async () => {
    const hidden = await group();
    const { body } = await put(hidden.id, form({}, pictureFile("png", "logo.png")));
    expect((await read(body.avatar_url)).status).toBe(404);
    expect((await read(body.avatar_url, mia.token)).status).toBe(404);
    const seen = await read(body.avatar_url, ann.token);
    expect([seen.status, seen.headers.get("content-type"), await seen.bytes()]).toEqual([
      200,
      "image/png",
      picture("png"),
    ]);
    expect(seen.headers.get("cache-control")).not.toContain("public");
    await put(hidden.id, form({ visibility: "public" }));
    expect((await read(body.avatar_url)).status).toBe(200);
    expect((await read(body.avatar_url.replace("logo", "other"))).status).toBe(404);
    expect((await read(`${world.origin}/uploads/-/system/group/avatar/99999/logo.png`)).status).toBe(404);
  });

  test("is removed by an empty value, and stays when the request does not name it", async () => {
    const { id } = await group();
    await put(id, form({}, pictureFile("png", "logo.png")));
    expect((await put(id, form({ description: "y" }))).body.avatar_url).toEndWith("/logo.png");
    expect((await put(id, form({ avatar: "" }))).body.avatar_url).toBeNull();
  });

  test("must be an image, of at most 200 KiB", async () => {
    const big = new Uint8Array(200 * 1024 + 1);
    big.set(picture("png"));
    const text = "is too big (should be at most 200 KiB)";
    const { id } = await group();
    expect((await put(id, form({}, new File([big], "big.png")))).body).toEqual({ message: { avatar: [text] } });
    const created = await world.call("POST", "/groups", {
      token: ann.token,
      multipart: form({ name: "x", path: "xx" }, new File([big], "big.png")),
    });
    expect([created.status, created.body]).toEqual([400, { message: `Failed to save group {:avatar=>["${text}"]}` }]);
    const { status, body } = await put(id, form({}, new File(["<svg/>"], "x.svg")));
    expect([status, body.message.avatar[0]]).toEqual([400, expect.stringContaining("not supported")]);
  });
});
