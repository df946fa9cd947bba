import { expect, test } from "bun:test";
import { uploads } from "../../../../src/modules/groups-and-projects/uploads/records.ts";
import { picture } from "../../../support/browser/pictures.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../setting.ts";

const world = await startWorld();
const [maintainer, guest, stranger] = [await world.user({ name: "Mara" }), await world.user(), await world.user()];
const project = await makeProject(world);
addMember(world, project, maintainer, "maintainer", "project");
addMember(world, project, guest, "guest", "project");
const at = `/projects/${project.id}/uploads`;

function send(name: string, content: string | Uint8Array<ArrayBuffer>, token: string | undefined, path = at) {
  const multipart = new FormData();
  multipart.set("file", new File([content], name));
  return world.call("POST", path, { token, multipart });
}

test("whoever sees the project uploads a file, and reads it at its address", async () => {
  const { status, body } = await send("notes.txt", "Notes", guest.token);
  const [, , folder] = body.url.split("/");
  expect(folder).toMatch(/^[0-9a-f]{32}$/);
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(Number),
      alt: "notes.txt",
      url: `/uploads/${folder}/notes.txt`,
      full_path: `/-/project/${project.id}/uploads/${folder}/notes.txt`,
      markdown: `[notes.txt](/uploads/${folder}/notes.txt)`,
    },
  ]);
  for (const path of [body.full_path, `${at}/${folder}/notes.txt`]) {
    const file = await world.call("GET", path, { token: guest.token });
    expect([file.status, file.text, file.headers.get("content-disposition")]).toEqual([
      200,
      "Notes",
      "attachment; filename=\"notes.txt\"; filename*=UTF-8''notes.txt",
    ]);
    expect((await world.call("GET", path, { token: stranger.token })).status).toBe(404);
    expect((await world.call("GET", path)).status).toBe(404);
    expect((await world.call("GET", path.replace("notes", "other"), { token: guest.token })).status).toBe(404);
  }
  expect((await send("notes.txt", "Notes", stranger.token)).body).toEqual({ message: "404 Project Not Found" });
  expect((await send("notes.txt", "Notes", undefined)).status).toBe(401);
  expect((await world.call("POST", at, { token: guest.token })).body.error).toBe("file is missing");
});

test("pictures are shown, by what their bytes are and not by their name", async () => {
  const shown = await send("dk.png", picture("png"), guest.token);
  expect([shown.body.alt, shown.body.markdown]).toEqual(["dk", `![dk](${shown.body.url})`]);
  const headersOf = async ({ body }: typeof shown) => {
    const { headers } = await world.call("GET", body.full_path, { token: guest.token });
    return [headers.get("content-type"), headers.get("content-disposition")?.split(";", 1)[0]];
  };
  expect(await headersOf(shown)).toEqual(["image/png", "inline"]);
  const page = await send("page.png", "<script>alert(1)</script>", guest.token);
  expect(await headersOf(page)).toEqual(["application/octet-stream", "attachment"]);
});

test("a name keeps no folders and nothing that means something in an address", async () => {
  const names = await Promise.all(
    ["../../etc/passwd", "a b?#%.txt", "Größe (1).md", `${"x".repeat(300)}.log`].map(async (name) => {
      const { body } = await send(name, "x", guest.token);
      expect((await world.call("GET", body.full_path, { token: guest.token })).text).toBe("x");
      return body.url.split("/").at(-1);
    }),
  );
  expect(names).toEqual(["passwd", "a_b___.txt", "Größe__1_.md", `${"x".repeat(251)}.log`]);
});

test("maintainers list and delete uploads", async () => {
  const other = await makeProject(world, { visibility: "public", statistics: true });
  addMember(world, other, maintainer, "maintainer", "project");
  addMember(world, other, guest, "guest", "project");
  const list = `/projects/${other.id}/uploads`;
  const made = [];
  for (const name of ["a.txt", "b.txt", "c.txt"]) made.push((await send(name, name, stranger.token, list)).body);
  const statistics = async () => (await world.get(`/projects/${other.id}?statistics=true`)).body.statistics;
  expect((await statistics()).uploads_size).toBe(15);
  const { body } = await world.call("GET", list, { token: maintainer.token });
  expect(body.map(({ filename }: { filename: string }) => filename)).toEqual(["c.txt", "b.txt", "a.txt"]);
  expect(body[0]).toEqual({
    ...{ id: made[2].id, size: 5, filename: "c.txt", created_at: world.clock.time() },
    uploaded_by: { id: stranger.id, name: stranger.record.name, username: stranger.username },
  });
  const byId = `${list}/${made[0].id}`;
  const byPlace = `${list}/${made[1].url.slice("/uploads/".length)}`;
  expect((await world.call("GET", byId, { token: maintainer.token })).text).toBe("a.txt");
  for (const [method, path] of [
    ["GET", list],
    ["GET", byId],
    ["DELETE", byId],
    ["DELETE", byPlace],
  ] as const) {
    expect((await world.call(method, path, { token: guest.token })).status).toBe(403);
  }
  expect((await world.call("GET", made[0].full_path)).text).toBe("a.txt");
  for (const path of [byId, byPlace]) {
    expect((await world.call("DELETE", path, { token: maintainer.token })).status).toBe(204);
    expect((await world.call("DELETE", path, { token: maintainer.token })).status).toBe(404);
  }
  expect((await world.call("GET", made[0].full_path)).status).toBe(404);
  expect((await statistics()).uploads_size).toBe(5);
  await world.call("DELETE", `/users/${stranger.id}`, { token: rootToken });
  expect((await world.call("GET", list, { token: maintainer.token })).body[0].uploaded_by).toBe(null);
  await world.call("POST", `/projects/${other.id}/archive`, { token: rootToken });
  expect((await send("d.txt", "x", maintainer.token, list)).status).toBe(403);
  await world.call("DELETE", `/projects/${other.id}`, { token: rootToken });
  await world.jobsDone();
  expect(world.store.of(uploads).by.project_id.find(other.id).size).toBe(0);
});

test("an upload counts for the quota of its project", async () => {
  const small = await startWorld({ projectQuotaMb: 1 });
  const { id } = await makeProject(small);
  const multipart = new FormData();
  multipart.set("file", new File(["x".repeat(1_100_000)], "large.txt"));
  expect((await small.call("POST", `/projects/${id}/uploads`, { token: rootToken, multipart })).status).toBe(507);
  expect(small.store.of(uploads).size).toBe(0);
});
