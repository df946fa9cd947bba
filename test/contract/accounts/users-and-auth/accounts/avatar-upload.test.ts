import { describe, expect, test } from "bun:test";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { picture, pictureKinds } from "../../../../support/browser/pictures.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();

const sizeMax = 200 * 1024;
type Bytes = Uint8Array<ArrayBuffer>;

function form(bytes: Bytes | string, filename = "face.png", more: Readonly<Record<string, string>> = {}): FormData {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(more)) multipart.set(name, value);
  multipart.set("avatar", new File([bytes], filename));
  return multipart;
}

const upload = (bytes: Bytes | string, filename?: string, token = ann.token) =>
  world.call("PUT", "/user/avatar", { token, multipart: form(bytes, filename) });

/** A picture of so many bytes. */
function padded(size: number): Bytes {
  const bytes = new Uint8Array(size);
  bytes.set(picture("png"));
  return bytes;
}

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

const contentTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  tiff: "image/tiff",
  ico: "image/vnd.microsoft.icon",
};

for (const kind of pictureKinds) {
  test(`the server accepts a ${kind}, and serves it without credentials with its type`, async () => {
    const { status, body } = await upload(picture(kind), `face.${kind}`);
    const avatar_url = `${world.origin}/uploads/-/system/user/avatar/${ann.id}/face.${kind}`;
    expect([status, body]).toEqual([200, { avatar_url }]);
    const served = await read(avatar_url);
    expect([served.status, served.bytes]).toEqual([200, picture(kind)]);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": contentTypes[kind],
      "content-disposition": `inline; filename*=UTF-8''face.${kind}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=300",
    });
    const again = await read(avatar_url, { "If-None-Match": served.headers.get("etag") as string });
    expect(again.status).toBe(304);
  });
}

test("avatar_url changes in every representation, nested ones too", async () => {
  const maker = await world.user({ admin: true });
  const json = { username: "nested", name: "N", email: "nested@people.example", reset_password: true };
  const made = (await world.call("POST", "/users", { token: maker.token, json })).body;
  const drawn = `${world.origin}/-/avatars/${maker.id}.svg`;
  expect(made.created_by.avatar_url).toBe(drawn);
  const seen = async () => [
    (await world.get(`/users/${maker.id}`)).body.avatar_url,
    (await world.call("GET", `/users/${maker.id}`, { token: ann.token })).body.avatar_url,
    (await world.call("GET", "/user", { token: maker.token })).body.avatar_url,
    (await world.get("/users", { query: { username: maker.username } })).body[0].avatar_url,
    (await world.call("GET", "/users", { query: { username: maker.username } })).body[0].avatar_url,
    (await world.get(`/users/${made.id}`)).body.created_by.avatar_url,
    (await world.get("/users", { query: { username: "nested" } })).body[0].created_by.avatar_url,
  ];
  expect(new Set(await seen())).toEqual(new Set([drawn]));
  const { avatar_url } = (await upload(picture("gif"), "new.gif", maker.token)).body;
  expect(new Set(await seen())).toEqual(new Set([avatar_url]));
});

describe("a file is refused", () => {
  const tooBig = "is too big (should be at most 200 KiB)";
  const format =
    "file format is not supported. Please try one of the following supported formats: image/png, image/jpeg, image/gif, image/bmp, image/tiff, image/vnd.microsoft.icon";
  const cases: [string, Bytes | string, string][] = [
    ["that is larger than 200 KiB", padded(sizeMax + 1), tooBig],
    ["that is large and no picture", "x".repeat(sizeMax + 1), tooBig],
    ["that is empty", "", format],
    ["that is text", "GIF, or so I say", format],
    ["that is a script", "<script>alert(1)</script>", format],
    ["that is a drawing with scripts", '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>', format],
    ["that only starts like a picture", "\x89PNG\r\n\x1a\n", format],
    ["that ends in its header", picture("bmp").slice(0, 20), format],
    ["that has no width", picture("png", 0, 5), format],
    ["that has no height", picture("gif", 5, 0), format],
  ];
  for (const [name, bytes, problem] of cases) {
    test(`${name}, by every operation that takes an avatar`, async () => {
      const before = world.store.of(users).get(ann.id);
      const own = await upload(bytes);
      expect([own.status, own.body]).toEqual([400, { message: `Avatar ${problem}` }]);
      const errors = { message: { avatar: [problem] } };
      const put = await world.call("PUT", `/users/${ann.id}`, { token: rootToken, multipart: form(bytes) });
      expect([put.status, put.body]).toEqual([400, errors]);
      const person = { username: "faceless", name: "F", email: "faceless@people.example", reset_password: "true" };
      const multipart = form(bytes, "face.png", person);
      const created = await world.call("POST", "/users", { token: rootToken, multipart });
      expect([created.status, created.body]).toEqual([400, errors]);
      expect(world.store.of(users).get(ann.id)).toMatchObject({ avatar: before?.avatar, bio: "" });
    });
  }

  test("that is missing, or no file", async () => {
    for (const options of [{}, { json: { avatar: null } }, { multipart: new FormData() }, { form: { avatar: "" } }]) {
      const { status, body } = await world.call("PUT", "/user/avatar", { token: ann.token, ...options });
      expect([status, body.error]).toEqual([400, "avatar is missing"]);
    }
    for (const options of [{ json: { avatar: "text" } }, { form: { avatar: "text" } }]) {
      const { status, body } = await world.call("PUT", "/user/avatar", { token: ann.token, ...options });
      expect([status, body.error]).toEqual([400, "avatar is invalid"]);
    }
  });

  test("from an anonymous caller", async () => {
    const { status } = await world.call("PUT", "/user/avatar", { multipart: form(picture("png")) });
    expect(status).toBe(401);
  });
});

test("a file of 200 KiB is accepted", async () => {
  const { status, body } = await upload(padded(sizeMax));
  expect(status).toBe(200);
  expect((await read(body.avatar_url)).bytes).toHaveLength(sizeMax);
});

test("the content decides, not the name or the declared type", async () => {
  const multipart = new FormData();
  multipart.set("avatar", new File([picture("gif")], "page.html", { type: "text/html" }));
  const { body } = await world.call("PUT", "/user/avatar", { token: ann.token, multipart });
  expect(body.avatar_url).toEndWith(`/${ann.id}/page.gif`);
  expect((await read(body.avatar_url)).headers.get("content-type")).toBe("image/gif");
  expect((await upload(picture("jpeg"), "photo.png")).body.avatar_url).toEndWith("/photo.png");
});

for (const [filename, expected] of [
  ["face.png", "face.png"],
  ["Face.PNG", "Face.PNG"],
  ["my face (1).png", "my_face__1_.png"],
  ["élodie+1_2-3.png", "élodie+1_2-3.png"],
  ["李小龙.png", "李小龙.png"],
  ["../../etc/passwd.png", "passwd.png"],
  ["..\\..\\boot.ini.png", "boot.ini.png"],
  ["/absolute/name.png", "name.png"],
  ["..png", "png.png"],
  ["...", "avatar.png"],
  [".png", "png.png"],
  ["blob", "blob.png"],
  ["archive.tar.gz", "archive.tar.png"],
  ["face.svg", "face.png"],
  ["a?b#c%2f&d;e.png", "a_b_c_2f_d_e.png"],
  ["<script>.png", "_script_.png"],
  [`${"x".repeat(300)}.png`, `${"x".repeat(100)}.png`],
] as const) {
  test(`a file named ${JSON.stringify(filename.slice(0, 30))} is served as ${expected.slice(0, 30)}`, async () => {
    const { status, body } = await upload(picture("png"), filename);
    expect(status).toBe(200);
    expect(body.avatar_url).toBe(
      `${world.origin}/uploads/-/system/user/avatar/${ann.id}/${encodeURIComponent(expected)}`,
    );
    expect((await read(body.avatar_url)).bytes).toEqual(picture("png"));
  });
}

test("only the current name of an avatar finds it", async () => {
  const first = (await upload(picture("png"), "first.png")).body.avatar_url;
  const second = (await upload(picture("gif"), "second.gif")).body.avatar_url;
  expect((await read(first)).status).toBe(404);
  expect((await read(second)).status).toBe(200);
  const base = "/uploads/-/system/user/avatar";
  const { hash } = (world.store.of(users).get(ann.id) as Json).avatar;
  for (const target of [
    `${base}/${ann.id}`,
    `${base}/${ann.id}/`,
    `${base}/${ann.id}/SECOND.gif`,
    `${base}/${ann.id}/second.gif/x`,
    `${base}/${ann.id}/${hash}`,
    `${base}/${ann.id}/..%2Fsecond.gif`,
    `${base}/${ann.id}/%2e%2e%2f${ann.id}%2Fsecond.gif`,
    `${base}/${ann.id}/..%2F..%2F..%2Fmanifest.json`,
    `${base}/${ann.id}/__proto__`,
    `${base}/${ann.id}/undefined`,
    `${base}/1/second.gif`,
    `${base}/1/undefined`,
    `${base}/999999/second.gif`,
    `${base}/x/second.gif`,
    "/uploads/-/system/user/avatar",
    "/uploads",
    `/api/v4${base}/${ann.id}/second.gif`,
  ]) {
    expect([target, (await world.wire({ method: "GET", target, headers: {} })).status]).toEqual([target, 404]);
  }
  for (const target of [`${base}/${ann.id}/%00`, `${base}/${ann.id}/%ff`]) {
    expect((await world.wire({ method: "GET", target, headers: {} })).status).toBe(400);
  }
});

describe("creation and modification by an administrator", () => {
  const person = { username: "pictured", name: "P", email: "pictured@people.example", force_random_password: "true" };

  test("set, replace and remove an avatar", async () => {
    const multipart = form(picture("ico"), "p.ico", person);
    const created = await world.call("POST", "/users", { token: rootToken, multipart });
    expect(created.status).toBe(201);
    const { id, avatar_url } = created.body;
    expect(avatar_url).toBe(`${world.origin}/uploads/-/system/user/avatar/${id}/p.ico`);
    expect((await read(avatar_url)).bytes).toEqual(picture("ico"));
    const put = (options: object) => world.call("PUT", `/users/${id}`, { token: rootToken, ...options });
    expect((await put({ json: { bio: "still there" } })).body.avatar_url).toBe(avatar_url);
    const replaced = (await put({ multipart: form(picture("tiff"), "q.tiff", { bio: "new" }) })).body;
    expect([replaced.avatar_url, replaced.bio]).toEqual([avatar_url.replace("p.ico", "q.tiff"), "new"]);
    expect((await read(replaced.avatar_url)).bytes).toEqual(picture("tiff"));
    const without = (await put({ multipart: withText("avatar", "") })).body;
    expect(without.avatar_url).toBe(`${world.origin}/-/avatars/${id}.svg`);
    expect((await read(replaced.avatar_url)).status).toBe(404);
    expect((await put({ json: { avatar: null } })).status).toBe(200);
  });

  test("refuse the avatar for an unknown user", async () => {
    const { status } = await world.call("PUT", "/users/999999", { token: rootToken, multipart: form(picture("png")) });
    expect(status).toBe(404);
  });
});

test("the avatar is deleted with its user", async () => {
  const user = await world.user();
  const { avatar_url } = (await upload(picture("png"), "face.png", user.token)).body;
  expect((await world.call("DELETE", `/users/${user.id}`, { token: rootToken })).status).toBe(204);
  expect((await read(avatar_url)).status).toBe(404);
});

test("a user who is blocked during the upload gets no avatar", async () => {
  const user = await world.user();
  const [uploaded] = await Promise.all([
    upload(padded(sizeMax), "late.png", user.token),
    world.call("POST", `/users/${user.id}/block`, { token: rootToken }),
  ]);
  const { body } = await world.get(`/users/${user.id}`);
  expect([200, 403]).toContain(uploaded.status);
  expect(body.avatar_url.includes("late.png")).toBe(uploaded.status === 200);
});

function withText(name: string, value: string): FormData {
  const multipart = new FormData();
  multipart.set(name, value);
  return multipart;
}
