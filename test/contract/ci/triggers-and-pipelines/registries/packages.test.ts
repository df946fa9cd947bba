import { describe, expect, spyOn, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { pipelines } from "../../../../../src/modules/ci/pipelines/records.ts";
import { projects } from "../../../../../src/modules/groups-and-projects/projects/records.ts";
import { packageFiles, packagePipelines, packages } from "../../../../../src/modules/registries/packages/records.ts";
import { pagingNames } from "../../../../support/checks/paging.ts";
import { putProjectLink } from "../../../../support/ci/job-token-links.ts";
import { genericPath, makePackage, uploadTo } from "../../../../support/ci/packages.ts";
import { alterJob, putRunningJob } from "../../../../support/ci/running-job.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member, alterProject } = placesOf(world);
const bank = group({ path: "bank" });
const ledger = project(bank.id, { path: "ledger" });
const open = project(bank.id, { path: "open", visibility: "public" });
const [dora, rita, gus, mia] = await Promise.all(
  (["developer", "reporter", "guest", "maintainer"] as const).map(async (role) => {
    const person = await world.user({ username: `the-${role}` });
    for (const each of [ledger, open]) member(each, person.id, accessLevels[role]);
    return person;
  }),
);

const hashOf = (algorithm: "sha256" | "sha1" | "md5", text: string) =>
  new Bun.CryptoHasher(algorithm).update(text).digest("hex");
const listOf = async (id: number, query: string) =>
  (await world.get(`/projects/${id}/packages?${query}`)).body.map(({ name, version }: Json) => `${name} ${version}`);
const isOnDisk = (text: string) => existsSync(world.store.blobs.pathOf(hashOf("sha256", text)));

describe("a file", () => {
  test("is stored and downloaded unchanged, whatever its declared type", async () => {
    const types = [
      undefined,
      "application/octet-stream",
      "application/json",
      "image/png",
      "application/x-www-form-urlencoded",
    ];
    for (const [at, type] of types.entries()) {
      const raw = new TextEncoder().encode(`{"a":${at}&b=\0\xff`);
      const headers = type === undefined ? {} : { "Content-Type": type };
      const path = genericPath(ledger.id, `types/1.0/${at}.bin`);
      const put = await world.call("PUT", path, { raw, headers: { "PRIVATE-TOKEN": dora?.token ?? "", ...headers } });
      expect([put.status, put.body]).toEqual([201, { message: "201 Created" }]);
      const got = await fetch(`${world.origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": rita?.token ?? "" } });
      expect(await got.bytes()).toEqual(raw);
    }
  });

  test("may be empty", async () => {
    expect((await uploadTo(world, ledger.id, "empty/1.0/nothing", { raw: "" })).status).toBe(201);
    const { status, text } = await world.get(genericPath(ledger.id, "empty/1.0/nothing"));
    expect([status, text]).toEqual([200, ""]);
  });

  test("is listed with its hashes, and has its own type", async () => {
    const { status, body } = await uploadTo(world, ledger.id, "told/1.0/a.bin", {
      raw: "abc",
      query: { select: "package_file" },
    });
    expect(status).toBe(200);
    const hashes = {
      file_sha256: hashOf("sha256", "abc"),
      file_sha1: hashOf("sha1", "abc"),
      file_md5: hashOf("md5", "abc"),
    };
    expect(body).toMatchObject({ file_name: "a.bin", size: 3, file_store: 1, status: "default", ...hashes });
    expect(body.file.url).toBe(`${world.origin}/api/v4${genericPath(ledger.id, "told/1.0/a.bin")}`);
    const { headers } = await world.call("GET", genericPath(ledger.id, "told/1.0/a.bin"), { token: rootToken });
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="a.bin"; filename*=UTF-8''a.bin`);
    expect(headers.get("x-checksum-sha256")).toBe(hashes.file_sha256);
    const head = await world.call("HEAD", genericPath(ledger.id, "told/1.0/a.bin"), { token: rootToken });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "3"]);
  });

  test("uploaded again is added, and the newest one is downloaded", async () => {
    await uploadTo(world, ledger.id, "twice/1.0/a.bin", { raw: "first" });
    await uploadTo(world, ledger.id, "twice/1.0/a.bin", { raw: "second" });
    await uploadTo(world, ledger.id, "twice/1.0/b.bin", { raw: "third" });
    expect((await world.get(genericPath(ledger.id, "twice/1.0/a.bin"))).text).toBe("second");
    const [found] = (await world.get(`/projects/${ledger.id}/packages?package_name=twice`)).body;
    const { body, headers } = await world.get(`/projects/${ledger.id}/packages/${found.id}/package_files`);
    expect(body.map(({ file_name, size }: Json) => [file_name, size])).toEqual([
      ["a.bin", 5],
      ["a.bin", 6],
      ["b.bin", 5],
    ]);
    expect([headers.get("x-total"), body[0].package_id]).toEqual(["3", found.id]);
  });

  test("is listed by id, name or time, in either direction", async () => {
    for (const name of ["beta.txt", "alpha.txt", "gamma.txt"]) {
      await uploadTo(world, ledger.id, `sorted/1.0/${name}`);
      world.clock.advance(1_000);
    }
    const [found] = (await world.get(`/projects/${ledger.id}/packages?package_name=sorted`)).body;
    const path = `/projects/${ledger.id}/packages/${found.id}/package_files`;
    const names = async (query: string) =>
      (await world.get(`${path}?${query}`)).body.map(({ file_name }: Json) => file_name[0]).join("");
    expect(await names("")).toBe("bag");
    expect(await names("order_by=id&sort=desc")).toBe("gab");
    expect(await names("order_by=file_name")).toBe("abg");
    expect(await names("order_by=file_name&sort=desc")).toBe("gba");
    expect(await names("order_by=created_at&sort=asc")).toBe("bag");
    expect(await names("order_by=created_at&sort=desc")).toBe("gab");
    const odd = await world.get(`${path}?order_by=size`);
    expect([odd.status, odd.body.error]).toEqual([400, "order_by does not have a valid value"]);
  });

  test("may be in folders", async () => {
    await uploadTo(world, ledger.id, "deep/1.0/linux/amd64/app~1@x.bin", { raw: "in folders" });
    expect((await world.get(genericPath(ledger.id, "deep/1.0/linux/amd64/app~1@x.bin"))).text).toBe("in folders");
    expect((await world.get(genericPath(ledger.id, "deep/1.0/linux%2Famd64%2Fapp~1@x.bin"))).text).toBe("in folders");
    expect((await world.get(genericPath(ledger.id, "deep/1.0/app~1@x.bin"))).status).toBe(404);
    const [found] = (await world.get(`/projects/${ledger.id}/packages?package_name=deep`)).body;
    const { body } = await world.get(`/projects/${ledger.id}/packages/${found.id}/package_files`);
    expect(body[0].file_name).toBe("linux%2Famd64%2Fapp~1%40x.bin");
  });

  test("may be in a form, whose other parts are parameters", async () => {
    const multipart = new FormData();
    multipart.set("file", new File(["of a form"], "app.bin"));
    multipart.set("status", "hidden");
    multipart.set("select", "package_file");
    const path = genericPath(ledger.id, "form/1.0/app.bin");
    const { status, body } = await world.call("PUT", path, { token: rootToken, multipart });
    expect([status, body.size]).toEqual([200, 9]);
    expect((await world.get(path)).text).toBe("of a form");
    expect(await listOf(ledger.id, "package_name=form&status=hidden")).toEqual(["form 1.0"]);
    for (const [name, value] of [
      ["status", "processing"],
      ["select", "all"],
    ] as const) {
      const odd = new FormData();
      odd.set("file", new File(["x"], "app.bin"));
      odd.set(name, value);
      const refused = await world.call("PUT", path, { token: rootToken, multipart: odd });
      expect([refused.status, refused.body.error]).toEqual([400, `${name} does not have a valid value`]);
    }
    const headers = { "Content-Type": "multipart/form-data", "PRIVATE-TOKEN": rootToken };
    expect((await world.call("PUT", path, { headers, raw: "no form" })).status).toBe(201);
    expect((await world.get(path)).text).toBe("no form");
  });

  test.each([
    ["bad%20name/1.0/a.bin", "package_name is invalid"],
    ["a%2Fb/1.0/a.bin", "package_name is invalid"],
    ["app/1..0/a.bin", "package_version is invalid"],
    ["app/1%2F0/a.bin", "package_version is invalid"],
    ["app/1.0/a%20b", "file_name is invalid"],
    ["app/1.0/a%2F..%2Fb", "file_name is invalid"],
    ["app/1.0/@a.bin", "file_name is invalid"],
    ["app/1.0/a.bin@", "file_name is invalid"],
    ["app/1.0/~a.bin", "file_name is invalid"],
    ["app/1.0/folder/a.bin~", "file_name is invalid"],
    ["app/1.0/folder%2F~a.bin", "file_name is invalid"],
    ["app/1.0/bad%20folder/b", "path is invalid"],
    ["app/1.0/a.bin?status=error", "status does not have a valid value"],
    ["app/1.0/a.bin?select=all", "select does not have a valid value"],
  ])("%s is refused: %s", async (place, error) => {
    for (const method of place.includes("?") ? ["PUT"] : ["PUT", "GET"]) {
      const { status, body } = await world.call(method, genericPath(ledger.id, place), { token: rootToken });
      expect([status, body.error]).toEqual([400, error]);
    }
  });

  test("that does not exist is 404", async () => {
    await uploadTo(world, ledger.id, "there/1.0/a.bin");
    for (const place of ["there/1.0/b.bin", "there/2.0/a.bin", "elsewhere/1.0/a.bin"]) {
      const { status, body } = await world.get(genericPath(ledger.id, place));
      expect([status, body]).toEqual([404, { message: "404 Not Found" }]);
    }
  });
});

describe("access", () => {
  test("is upload for developers, read for members, delete for maintainers; other users get an error", async () => {
    const { id, fileId, file } = await makePackage(world, ledger.id);
    const at = `/projects/${ledger.id}/packages`;
    const reads = [at, `${at}/${id}`, `${at}/${id}/package_files`, `${at}/${id}/pipelines`];
    const statuses = async (method: string, path: string) => {
      const people = [undefined, gus, rita, dora, mia];
      return Promise.all(people.map(async (each) => (await world.call(method, path, { token: each?.token })).status));
    };
    for (const path of reads) expect(await statuses("GET", path)).toEqual([404, 200, 200, 200, 200]);
    expect(await statuses("GET", genericPath(ledger.id, file))).toEqual([401, 200, 200, 200, 200]);
    for (const end of ["", `/package_files/${fileId}`]) {
      expect((await world.call("DELETE", `${at}/${id}${end}`)).status).toBe(404);
    }
    expect(await statuses("PUT", genericPath(ledger.id, "who/1.0/x"))).toEqual([401, 403, 403, 201, 201]);
    const { status, body } = await world.call("DELETE", `${at}/${id}`, { token: dora?.token });
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
    expect((await world.call("DELETE", `${at}/${id}/package_files/${fileId}`, { token: dora?.token })).status).toBe(
      403,
    );
    expect((await world.call("DELETE", `${at}/${id}`, { token: mia?.token })).status).toBe(204);
  });

  test("to those of a public project is open to all", async () => {
    const { id, fileId, file } = await makePackage(world, open.id);
    for (const end of ["", `/package_files/${fileId}`]) {
      expect((await world.call("DELETE", `/projects/${open.id}/packages/${id}${end}`)).status).toBe(403);
    }
    for (const token of [undefined, gus?.token]) {
      expect((await world.call("GET", `/projects/${open.id}/packages/${id}`, { token })).status).toBe(200);
      expect((await world.call("GET", genericPath(open.id, file), { token })).status).toBe(200);
    }
    const links = (await world.call("GET", `/projects/${open.id}/packages/${id}`)).body._links;
    expect(links).toEqual({ web_path: `/bank/open/-/packages/${id}` });
  });

  test("is denied where packages are turned off, and an archived project takes no uploads", async () => {
    const off = project(bank.id, { settings: { packages_enabled: false } });
    expect((await uploadTo(world, off.id, "a/1/a")).status).toBe(403);
    expect((await world.get(`/projects/${off.id}/packages`)).status).toBe(403);
    const made = await makePackage(world, open.id);
    for (const end of ["", `/package_files/${made.fileId}`]) {
      const path = `/projects/${off.id}/packages/${made.id}${end}`;
      expect((await world.call("DELETE", path, { token: rootToken })).status).toBe(403);
    }
    const old = project(bank.id, {});
    await uploadTo(world, old.id, "a/1/a");
    alterProject(world.store.of(projects).get(old.id) ?? old, { archived: true });
    expect((await uploadTo(world, old.id, "a/1/a")).status).toBe(403);
    expect((await world.get(genericPath(old.id, "a/1/a"))).text).toBe("a/1/a");
  });

  test("that ends during an upload stores nothing", async () => {
    const ed = await world.user();
    const { id } = member(ledger, ed.id, accessLevels.developer);
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("some"));
        await gate;
        controller.enqueue(new TextEncoder().encode("thing"));
        controller.close();
      },
    });
    const url = `${world.origin}/api/v4${genericPath(ledger.id, "late/1.0/a.bin")}`;
    const sent = fetch(url, { method: "PUT", body, headers: { "PRIVATE-TOKEN": ed.token } });
    const blobs = join(dirname(world.store.blobs.pathOf("ab".repeat(32))), "..");
    while (!readdirSync(blobs).some((name) => name.endsWith(".tmp"))) await Bun.sleep(1);
    await world.call("DELETE", `/projects/${ledger.id}/members/${ed.id}`, { token: rootToken });
    expect(id).toBeGreaterThan(0);
    goOn();
    expect([403, 404]).toContain((await sent).status);
    expect(await listOf(ledger.id, "package_name=late")).toEqual([]);
  });
});

describe("the list", () => {
  const shop = project(bank.id, { path: "shop" });

  test("is filtered and ordered", async () => {
    for (const place of ["cup/1.0/x", "bowl/2.0/x", "cupboard/1.1/x", "bowl/1.0/x"]) {
      await world.clock.advance(1_000);
      await uploadTo(world, shop.id, place);
    }
    await uploadTo(world, shop.id, "secret/1.0/x", { query: { status: "hidden" } });
    expect(await listOf(shop.id, "")).toEqual(["cup 1.0", "bowl 2.0", "cupboard 1.1", "bowl 1.0"]);
    expect(await listOf(shop.id, "sort=desc")).toEqual(["bowl 1.0", "cupboard 1.1", "bowl 2.0", "cup 1.0"]);
    expect(await listOf(shop.id, "order_by=name")).toEqual(["bowl 2.0", "bowl 1.0", "cup 1.0", "cupboard 1.1"]);
    expect(await listOf(shop.id, "order_by=version&sort=desc")).toEqual([
      "bowl 2.0",
      "cupboard 1.1",
      "bowl 1.0",
      "cup 1.0",
    ]);
    expect(await listOf(shop.id, "package_name=CUP")).toEqual(["cup 1.0", "cupboard 1.1"]);
    expect(await listOf(shop.id, "package_version=1.0")).toEqual(["cup 1.0", "bowl 1.0"]);
    expect(await listOf(shop.id, "package_type=generic&include_versionless=true")).toHaveLength(4);
    expect(await listOf(shop.id, "package_type=npm")).toEqual([]);
    expect(await listOf(shop.id, "status=hidden")).toEqual(["secret 1.0"]);
    expect(await listOf(shop.id, "status=error")).toEqual([]);
  });

  test.each([["order_by=size"], ["sort=up"], ["package_type=cup"], ["status=gone"]])("refuses %s", async (query) => {
    const { status, body } = await world.get(`/projects/${shop.id}/packages?${query}`);
    expect([status, body.error]).toEqual([400, `${query.split("=", 1)[0]} does not have a valid value`]);
  });

  test("shows packages in full, and a single one with its other versions", async () => {
    const [found] = (await world.get(`/projects/${shop.id}/packages?package_name=bowl&package_version=1.0`)).body;
    expect(found).toEqual({
      id: found.id,
      name: "bowl",
      version: "1.0",
      package_type: "generic",
      status: "default",
      _links: {
        web_path: `/bank/shop/-/packages/${found.id}`,
        delete_api_path: `${world.origin}/api/v4/projects/${shop.id}/packages/${found.id}`,
      },
      created_at: found.created_at,
      last_downloaded_at: null,
      tags: [],
      pipeline: null,
      pipelines: [],
    });
    await world.get(genericPath(shop.id, "bowl/1.0/x"));
    const { body } = await world.get(`/projects/${shop.id}/packages/${found.id}`);
    expect(body.last_downloaded_at).toBe(world.clock.time());
    expect(body.versions.map(({ version }: Json) => version)).toEqual(["2.0"]);
  });

  test("has no package of another project, and a hidden one is 404", async () => {
    const [hidden] = (await world.get(`/projects/${shop.id}/packages?status=hidden`)).body;
    const elsewhere = await makePackage(world, open.id);
    for (const id of [hidden.id, elsewhere.id, 99_999, -1]) {
      for (const end of ["", "/pipelines"]) {
        const { status, body } = await world.get(`/projects/${shop.id}/packages/${id}${end}`);
        expect([status, body]).toEqual([404, { message: "404 Not Found" }]);
      }
    }
    expect((await world.get(`/projects/${shop.id}/packages/x`)).body.error).toBe("package_id is invalid");
    expect((await world.get(genericPath(shop.id, "secret/1.0/x"))).status).toBe(200);
  });
});

test("a group lists the packages of the projects that the caller may read", async () => {
  const top = group({ path: "top", visibility: "public" });
  const below = group({ path: "below", parent_id: top.id, visibility: "public" });
  const [seen, hidden, deep] = [
    project(top.id, { path: "seen", visibility: "public" }),
    project(top.id, { path: "hidden" }),
    project(below.id, { path: "deep", visibility: "public" }),
  ];
  for (const each of [seen, hidden, deep]) await uploadTo(world, each.id, `${each.path}/1.0/x`);
  member(hidden, gus?.id ?? 0, accessLevels.guest);
  member(hidden, rita?.id ?? 0, accessLevels.reporter);
  const namesOf = async (token: string | undefined, query = "") => {
    const { body } = await world.call("GET", `/groups/${top.id}/packages${query}`, { token });
    return body.map(({ name }: Json) => name);
  };
  expect(await namesOf(undefined)).toEqual(["seen", "deep"]);
  expect(await namesOf(gus?.token)).toEqual(["seen", "hidden", "deep"]);
  expect(await namesOf(rita?.token)).toEqual(["seen", "hidden", "deep"]);
  expect(await namesOf(rita?.token, "?exclude_subgroups=true&order_by=name")).toEqual(["hidden", "seen"]);
  await uploadTo(world, deep.id, "again/1.0/x");
  const byPath = "?order_by=project_path";
  expect(await namesOf(rita?.token, byPath)).toEqual(["deep", "again", "hidden", "seen"]);
  expect(await namesOf(rita?.token, `${byPath}&sort=desc`)).toEqual(["seen", "hidden", "again", "deep"]);
  expect(await namesOf(rita?.token, `${byPath}&per_page=2&page=2`)).toEqual(["hidden", "seen"]);
  expect(await namesOf(gus?.token, `${byPath}&package_name=s`)).toEqual(["seen"]);
  const refused = await world.get(`/projects/${seen.id}/packages${byPath}`);
  expect([refused.status, refused.body.error]).toEqual([400, "order_by does not have a valid value"]);
  const [first] = (await world.get(`/groups/${top.id}/packages`)).body;
  expect([first.project_id, first.project_path]).toEqual([seen.id, "top/seen"]);
  const empty = group({ path: "empty" });
  expect((await world.get(`/groups/${empty.id}/packages`)).body).toEqual([]);
});

describe("a job", () => {
  const works = project(bank.id, { path: "works" });
  const asBasic = (token: string) => ({ Authorization: `Basic ${btoa(`gitlab-ci-token:${token}`)}` });

  test("uploads and downloads with its token, and its pipeline belongs to the package", async () => {
    const { token, pipeline } = putRunningJob(world, works.id, 1);
    for (const [at, headers] of [{ "JOB-TOKEN": token }, asBasic(token)].entries()) {
      expect((await uploadTo(world, works.id, `app/1.0/${at}`, { headers })).status).toBe(201);
      expect((await world.call("GET", genericPath(works.id, `app/1.0/${at}`), { headers })).text).toBe(`app/1.0/${at}`);
    }
    const { body } = await world.call("GET", `/projects/${works.id}/packages`, { headers: { "JOB-TOKEN": token } });
    expect(body[0].pipeline).toMatchObject({ id: pipeline.id, ref: "main", user: { username: "root" } });
    expect(body[0].pipelines.map(({ id }: Json) => id)).toEqual([pipeline.id]);
    const files = (await world.get(`/projects/${works.id}/packages/${body[0].id}/package_files`)).body;
    expect(files.map(({ pipelines }: Json) => pipelines[0].id)).toEqual([pipeline.id, pipeline.id]);
  });

  test("of a private project shows its pipeline in a public project's package only to readers of both", async () => {
    const shelf = project(bank.id, { path: "shelf", visibility: "public" });
    const { token, pipeline } = putRunningJob(world, works.id, 1);
    putProjectLink(world, shelf, works);
    expect((await uploadTo(world, shelf.id, "app/1.0/x", { headers: { "JOB-TOKEN": token } })).status).toBe(201);
    const seenWith = async (asked: string | undefined) => {
      const list = (await world.call("GET", `/projects/${shelf.id}/packages`, { token: asked })).body;
      const at = `/projects/${shelf.id}/packages/${list[0].id}`;
      const files = (await world.call("GET", `${at}/package_files`, { token: asked })).body;
      const pipelines = (await world.call("GET", `${at}/pipelines`, { token: asked })).body;
      return [list[0].pipelines, files[0].pipelines ?? [], pipelines].map((each) => each.map(({ id }: Json) => id));
    };
    expect(await seenWith(rootToken)).toEqual([[pipeline.id], [pipeline.id], [pipeline.id]]);
    expect(await seenWith(undefined)).toEqual([[], [], []]);
    expect(await seenWith(dora?.token)).toEqual([[], [], []]);
  });

  test("shows no pipeline to those who may not see the pipelines of its own project", async () => {
    const open = project(bank.id, { path: "own-jobs", visibility: "public" });
    const { token, pipeline } = putRunningJob(world, open.id, 1);
    expect((await uploadTo(world, open.id, "app/1.0/x", { headers: { "JOB-TOKEN": token } })).status).toBe(201);
    const seenWith = async (asked: string | undefined) => {
      const [first] = (await world.call("GET", `/projects/${open.id}/packages`, { token: asked })).body;
      return first.pipelines.map(({ id }: Json) => id);
    };
    expect(await seenWith(undefined)).toEqual([pipeline.id]);
    const json = { public_jobs: false };
    expect((await world.call("PUT", `/projects/${open.id}`, { token: rootToken, json })).status).toBe(200);
    expect([await seenWith(undefined), await seenWith(rootToken)]).toEqual([[], [pipeline.id]]);
  });

  test("is refused after its end, and by a project whose allowlist does not have it", async () => {
    const { token, job } = putRunningJob(world, works.id, 1);
    const { status, body } = await uploadTo(world, ledger.id, "app/1.0/x", { headers: { "JOB-TOKEN": token } });
    const message = "403 Forbidden - Authentication by CI/CD job token not allowed from works to ledger.";
    expect([status, body]).toEqual([403, { message }]);
    alterJob(world, job, { status: "success" });
    expect((await uploadTo(world, works.id, "app/1.0/x", { headers: asBasic(token) })).status).toBe(401);
  });

  test("an access token works as the password", async () => {
    const headers = asBasic(rootToken);
    expect((await uploadTo(world, works.id, "basic/1.0/x", { headers })).status).toBe(201);
    const { status, headers: answered } = await uploadTo(world, works.id, "basic/1.0/x", {
      headers: asBasic("nobody's"),
    });
    expect([status, answered.get("www-authenticate")]).toEqual([401, 'Basic realm="outpost"']);
  });

  test("the pipelines of a package are a keyset list, newest first, one entry for each; new ones hide none", async () => {
    const { id, file } = await makePackage(world, works.id);
    const list = `/projects/${works.id}/packages/${id}/pipelines`;
    const publish = async () => {
      const { token, pipeline } = putRunningJob(world, works.id, 1);
      for (const raw of ["one", "two"]) await uploadTo(world, works.id, file, { headers: { "JOB-TOKEN": token }, raw });
      return pipeline.id;
    };
    expect((await world.get(list)).body).toEqual([]);
    const made = [await publish(), await publish(), await publish()].reverse();
    const first = await world.get(`${list}?per_page=2`);
    expect(first.body.map(({ id }: Json) => id)).toEqual(made.slice(0, 2));
    expect(pagingNames.filter((name) => first.headers.has(name))).toEqual([]);
    expect(first.body[0]).toMatchObject({ source: "push", project_id: works.id, name: null, user: { id: 1 } });
    await publish();
    const next = linksOf(first.headers).get("next") ?? "";
    const second = await world.get(`${list}?${new URL(next).searchParams}`);
    expect(second.body.map(({ id }: Json) => id)).toEqual(made.slice(2));
    expect(second.headers.get("link")).toBeNull();
    const other = await world.get(`${list}?order_by=name`);
    expect([other.status, other.body]).toEqual([
      405,
      { error: "Keyset pagination is not yet available for this type of request" },
    ]);
  });

  test("a package is shown with its newest pipeline, without a read of the others", async () => {
    const { id } = await makePackage(world, works.id);
    for (let at = 0; at < 500; at += 1) {
      const { pipeline } = putRunningJob(world, works.id, 1);
      const ids = { package_id: id, project_id: works.id, pipeline_id: pipeline.id };
      world.store.transact((tx) => tx.insert(packagePipelines, { id: tx.nextId("package_pipelines"), ...ids }));
    }
    const looks = spyOn(world.store.of(pipelines), "get");
    const { body } = await world.get(`/projects/${works.id}/packages/${id}`);
    expect(body.pipelines).toHaveLength(20);
    expect(looks.mock.calls.length).toBeLessThan(100);
    looks.mockRestore();
  });

  test("deleted pipelines leave the list", async () => {
    const { id, file } = await makePackage(world, works.id);
    const { token, pipeline } = putRunningJob(world, works.id, 1);
    await uploadTo(world, works.id, file, { headers: { "JOB-TOKEN": token } });
    await world.call("DELETE", `/projects/${works.id}/pipelines/${pipeline.id}`, { token: rootToken });
    expect((await world.get(`/projects/${works.id}/packages/${id}/pipelines`)).body).toEqual([]);
    expect((await world.get(`/projects/${works.id}/packages/${id}`)).body.pipeline).toBeNull();
  });
});

describe("sizes and removal", () => {
  const sizesOf = async (id: number) => (await world.get(`/projects/${id}?statistics=true`)).body.statistics;

  test("count files in the statistics of their project until they are deleted; the last one frees the bytes", async () => {
    const small = project(bank.id, {});
    const bytes = "these bytes are stored once";
    const one = await uploadTo(world, small.id, "one/1.0/x", { raw: bytes, query: { select: "package_file" } });
    await uploadTo(world, small.id, "two/1.0/x", { raw: bytes });
    expect(await sizesOf(small.id)).toMatchObject({ packages_size: 54, storage_size: 54 });
    const remove = (path: string) =>
      world.call("DELETE", `/projects/${small.id}/packages/${path}`, { token: rootToken });
    expect((await remove(`${one.body.package_id}/package_files/99999`)).body).toEqual({ message: "404 Not Found" });
    expect((await remove(`${one.body.package_id}/package_files/${one.body.id}`)).status).toBe(204);
    expect(await listOf(small.id, "package_name=one")).toEqual(["one 1.0"]);
    await world.context.store.background.sweeper.sweepUnneeded();
    expect([(await sizesOf(small.id)).packages_size, isOnDisk(bytes)]).toEqual([27, true]);
    const [two] = (await world.get(`/projects/${small.id}/packages?package_name=two`)).body;
    expect((await remove(two.id)).status).toBe(204);
    expect((await remove(two.id)).status).toBe(404);
    await world.clock.advance(10 * 60_000);
    await world.jobsDone();
    expect([(await sizesOf(small.id)).storage_size, isOnDisk(bytes)]).toEqual([0, false]);
    expect(await listOf(small.id, "")).toEqual(["one 1.0"]);
  });

  test("of a package with very many files happen at once for readers, and a job deletes the rest", async () => {
    const crowded = project(bank.id, { path: "crowded" });
    const { id, fileId, file } = await makePackage(world, crowded.id);
    const first = world.store.of(packageFiles).get(fileId);
    if (first === undefined) throw new Error("no file");
    world.store.transact((tx) => {
      for (let at = 0; at < 600; at += 1)
        tx.insert(packageFiles, { ...first, id: tx.nextId("package_files"), size: 0 });
    });
    const at = `/projects/${crowded.id}/packages`;
    expect((await world.call("DELETE", `${at}/${id}`, { token: rootToken })).status).toBe(204);
    for (const path of [`${at}/${id}`, `${at}/${id}/package_files`, genericPath(crowded.id, file)]) {
      expect((await world.get(path)).status).toBe(404);
    }
    expect((await world.call("DELETE", `${at}/${id}`, { token: rootToken })).status).toBe(404);
    expect((await world.get(at)).body).toEqual([]);
    await uploadTo(world, crowded.id, file, { raw: "anew" });
    await world.jobsDone();
    expect(world.store.of(packageFiles).by.package_id.find(id).size).toBe(0);
    expect(world.store.of(packages).get(id)).toBeUndefined();
    expect((await world.get(genericPath(crowded.id, file))).text).toBe("anew");
    expect((await world.get(`/projects/${crowded.id}?statistics=true`)).body.statistics.packages_size).toBe(4);
  });

  test("packages are deleted with their project", async () => {
    const doomed = project(bank.id, {});
    const { token } = putRunningJob(world, doomed.id, 1);
    await uploadTo(world, doomed.id, "one/1.0/x", { headers: { "JOB-TOKEN": token } });
    await world.call("DELETE", `/projects/${doomed.id}`, { token: rootToken });
    await world.jobsDone();
    for (const each of [packages, packageFiles, packagePipelines]) {
      expect(world.store.of(each as typeof packages).by.project_id.find(doomed.id).size).toBe(0);
    }
  });
});
