import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "../../../../../src/modules/registries/container-registry/records.ts";
import { indexType, makeImage } from "../../../../support/ci/oci-layout.ts";
import { registryOf } from "../../../../support/ci/registry.ts";
import { putRunningJob } from "../../../../support/ci/running-job.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member, alterProject } = placesOf(world);
const bank = group({ path: "Bank" });
const ledger = project(bank.id, { path: "ledger" });
const [gus, rita, dora, mia] = await Promise.all(
  (["guest", "reporter", "developer", "maintainer"] as const).map(async (role) => {
    const person = await world.user({ username: `the-${role}` });
    member(ledger, person.id, accessLevels[role]);
    return person.token;
  }),
);
const registry = registryOf(world);
const list = `/projects/${ledger.id}/registry/repositories`;
const host = new URL(world.origin).host;
const idOf = async (path: string) =>
  (await world.get(`${list}?per_page=100`)).body.find((each: Json) => each.path === path).id as number;
const remove = (path: string, token = rootToken) => world.call("DELETE", path, { token });

test("a new project has no repositories", async () => {
  const { status, body, headers } = await world.get(list);
  expect([status, body, headers.get("x-total")]).toEqual([200, [], "0"]);
});

describe("repositories", () => {
  test("are listed by their project, under the names for image clients", async () => {
    await registry.push("bank/ledger", "v1");
    await registry.push("bank/ledger/app", "v1");
    await registry.push("bank/ledger/app", "v2");
    const { body } = await world.get(list);
    expect(body).toMatchObject([
      { name: "", path: "bank/ledger", location: `${host}/bank/ledger`, status: null },
      { name: "app", path: "bank/ledger/app", project_id: ledger.id, cleanup_policy_started_at: null },
    ]);
    expect(body[1].delete_api_path).toBe(`${world.origin}/api/v4${list}/${body[1].id}`);
    const [, full] = (await world.get(`${list}?tags=true&tags_count=true`)).body;
    expect([full.tags_count, full.tags.map(({ name }: Json) => name)]).toEqual([2, ["v1", "v2"]]);
    const ofGroup = await world.get(`/groups/${bank.id}/registry/repositories?tags_count=true`);
    expect(ofGroup.body.map(({ tags_count }: Json) => tags_count)).toEqual([1, 2]);
    const { body: one } = await world.get(`/registry/repositories/${full.id}?size=true&tags_count=true`);
    expect(one).toMatchObject({ id: full.id, tags_count: 2, size: expect.any(Number) });
    expect((await world.get(`/projects/${ledger.id}`)).body.container_registry_image_prefix).toBe(
      `${host}/bank/ledger`,
    );
  });

  test("are read by reporters, and deleted by maintainers; tags are deleted by developers", async () => {
    const id = await idOf("bank/ledger/app");
    const statuses = async (method: string, path: string) =>
      Promise.all([undefined, gus, rita].map(async (token) => (await world.call(method, path, { token })).status));
    for (const path of [list, `${list}/${id}/tags`, `${list}/${id}/tags/v1`]) {
      expect(await statuses("GET", path)).toEqual([404, 403, 200]);
    }
    for (const path of [`${list}/${id}`, `${list}/${id}/tags/v1`, `${list}/${id}/tags?name_regex_delete=v1`]) {
      expect((await world.call("DELETE", path)).status).toBe(404);
    }
    expect(await statuses("GET", `/registry/repositories/${id}`)).toEqual([401, 403, 200]);
    const stranger = (await world.user()).token;
    expect((await world.call("GET", `/registry/repositories/${id}`, { token: stranger })).status).toBe(404);
    expect((await remove(`${list}/${id}/tags/v1`, rita)).status).toBe(403);
    expect((await remove(`${list}/${id}`, dora)).status).toBe(403);
    const { token } = putRunningJob(world, ledger.id, 1);
    expect((await world.call("GET", list, { headers: { "JOB-TOKEN": token } })).status).toBe(200);
  });

  test("of a public project are read by everybody, and deleted only by members", async () => {
    const open = project(bank.id, { path: "open", visibility: "public" });
    await registry.push("bank/open", "v1");
    const path = `/projects/${open.id}/registry/repositories`;
    const [{ id }] = (await world.get(path)).body;
    for (const token of [undefined, (await world.user()).token]) {
      for (const end of ["", `/${id}/tags`, `/${id}/tags/v1`]) {
        expect((await world.call("GET", `${path}${end}`, { token })).status).toBe(200);
      }
      expect((await world.call("DELETE", `${path}/${id}`, { token })).status).toBe(403);
    }
    for (const [token, expected] of [[undefined, 404] as const, [gus, 403] as const]) {
      expect((await world.call("GET", `/groups/${bank.id}/registry/repositories`, { token })).status).toBe(expected);
    }
    const deleted = await remove(`${path}/${id}/tags/v1`);
    expect([deleted.status, deleted.body]).toEqual([200, 200]);
    expect((await world.get(`${path}/${id}/tags`)).body).toEqual([]);
  });

  test("of a project without a registry are shown to no caller", async () => {
    const off = project(bank.id, { path: "off" });
    await registry.push("bank/off", "v1");
    const { body } = await world.get(`/projects/${off.id}/registry/repositories`);
    const statuses = () =>
      Promise.all(
        [
          ["GET", `/projects/${off.id}/registry/repositories`],
          ["GET", `/registry/repositories/${body[0].id}`],
          ["DELETE", `/projects/${off.id}/registry/repositories/${body[0].id}/tags?name_regex_delete=v9`],
        ].map(async ([method = "", path = ""]) => (await world.call(method, path, { token: rootToken })).status),
      );
    const ofGroup = async () =>
      (await world.get(`/groups/${bank.id}/registry/repositories?per_page=100`)).body.map(({ path }: Json) => path);
    expect(await statuses()).toEqual([200, 200, 202]);
    expect(await ofGroup()).toContain("bank/off");
    const json = { container_registry_access_level: "disabled" };
    expect((await world.call("PUT", `/projects/${off.id}`, { token: rootToken, json })).status).toBe(200);
    expect(await statuses()).toEqual([403, 403, 403]);
    expect(await ofGroup()).not.toContain("bank/off");
  });

  test("of an archived project stay unchanged", async () => {
    const old = project(bank.id, { path: "old" });
    await registry.push("bank/old", "v1");
    const path = `/projects/${old.id}/registry/repositories`;
    const [{ id }] = (await world.get(path)).body;
    alterProject(old, { archived: true });
    for (const end of ["", "/tags/v1", "/tags?name_regex_delete=v1"]) {
      expect((await remove(`${path}/${id}${end}`, rootToken)).status).toBe(403);
    }
    expect((await world.get(`${path}/${id}/tags`)).body).toHaveLength(1);
  });

  test("that are unknown, or of another project, are 404", async () => {
    const other = project(bank.id, { path: "other" });
    await registry.push("bank/other", "v1");
    const { body } = await world.get(`/projects/${other.id}/registry/repositories`);
    for (const id of [body[0].id, 99_999]) {
      for (const end of ["", "/tags", "/tags/v1"]) {
        const method = end === "" ? "DELETE" : "GET";
        const answer = await world.call(method, `${list}/${id}${end}`, { token: rootToken });
        expect([answer.status, answer.body]).toEqual([404, { message: "404 Not Found" }]);
      }
    }
    expect((await world.get(`${list}/x/tags`)).body.error).toBe("repository_id is invalid");
  });

  test("are deleted in the background, and their name is free at once", async () => {
    await registry.push("bank/ledger/doomed", "v1");
    const id = await idOf("bank/ledger/doomed");
    const before = world.events().length;
    expect((await remove(`${list}/${id}`, mia)).body).toEqual({ message: "202 Accepted" });
    expect((await registry.call("GET", "bank/ledger/doomed/tags/list")).status).toBe(404);
    await registry.push("bank/ledger/doomed", "v2");
    await world.jobsDone();
    expect((await world.get(list)).body.some((each: Json) => each.id === id)).toBe(false);
    expect((await registry.call("GET", "bank/ledger/doomed/tags/list")).body.tags).toEqual(["v2"]);
    expect(world.store.of(containerTags).by.repository_id.find(id).size).toBe(0);
    const marked = world
      .events(before)
      .filter(({ event_name }) => event_name === "container_repository_deletion_marked");
    expect(marked).toHaveLength(1);
  });
});

describe("tags", () => {
  const image = makeImage(["a layer", "another"]);

  test("are listed by page and by keyset, in either direction; new ones hide none", async () => {
    for (const tag of ["c", "a", "e", "b", "d"]) await registry.push("bank/ledger/many", tag, image);
    const tags = `${list}/${await idOf("bank/ledger/many")}/tags`;
    const namesOf = (body: Json) => body.map(({ name }: Json) => name).join("");
    expect(namesOf((await world.get(tags)).body)).toBe("abcde");
    for (const [sort, expected] of [
      ["asc", "abcde"],
      ["desc", "edcba"],
      ["", "abcde"],
    ] as const) {
      let query = `pagination=keyset&per_page=2${sort === "" ? "" : `&order_by=name&sort=${sort}`}`;
      let seen = "";
      for (let pages = 0; query !== ""; pages += 1) {
        const { body, headers } = await world.get(`${tags}?${query}`);
        seen += namesOf(body);
        expect([headers.has("x-total"), headers.has("x-page")]).toEqual([false, false]);
        const next = linksOf(headers).get("next");
        query = next === undefined ? "" : new URL(next).search.slice(1);
        if (pages === 0) await registry.push("bank/ledger/many", sort === "desc" ? "z" : "A", image);
        if (pages === 0) await registry.call("DELETE", `bank/ledger/many/manifests/${sort === "desc" ? "z" : "A"}`);
        expect(pages).toBeLessThan(4);
      }
      expect(seen).toBe(expected);
    }
    const { status, body } = await world.get(`${tags}?pagination=keyset&order_by=id`);
    expect([status, body.error]).toEqual([405, "Keyset pagination is not yet available for this type of request"]);
  });

  test("show the image that they name", async () => {
    await registry.push("bank/ledger/told", "v1", image);
    const id = await idOf("bank/ledger/told");
    const { body } = await world.get(`${list}/${id}/tags/v1`);
    const revision = image.config.digest.replace("sha256:", "");
    expect(body).toEqual({
      name: "v1",
      path: "bank/ledger/told:v1",
      location: `${host}/bank/ledger/told:v1`,
      revision,
      short_revision: revision.slice(0, 9),
      digest: image.manifest.digest,
      created_at: world.clock.time(),
      total_size: image.layers.reduce((sum, { size }) => sum + size, 0),
    });
    const index = JSON.stringify({ mediaType: indexType, manifests: [image.manifest] });
    await registry.pushManifest("bank/ledger/told", "both", index, indexType);
    expect((await world.get(`${list}/${id}/tags/both`)).body.total_size).toBe(body.total_size);
    expect((await world.get(`${list}/${id}/tags/v9`)).body).toEqual({ message: "404 Tag Not Found" });
  });

  test("are deleted one by one, and the image stays by its digest", async () => {
    await registry.push("bank/ledger/one", "v1", image);
    await registry.push("bank/ledger/one", "v2", image);
    const tags = `${list}/${await idOf("bank/ledger/one")}/tags`;
    expect((await remove(`${tags}/v1`, dora)).status).toBe(200);
    expect((await remove(`${tags}/v1`, dora)).status).toBe(404);
    expect((await registry.call("GET", "bank/ledger/one/tags/list")).body.tags).toEqual(["v2"]);
    expect((await registry.call("GET", `bank/ledger/one/manifests/${image.manifest.digest}`)).status).toBe(200);
  });
});

describe("tags that match a pattern", () => {
  const image = makeImage(["of many tags"]);
  let count = 0;
  const pushAll = async (name: string, tags: readonly string[], afterMs = 0) => {
    await registry.push(name, image.manifest.digest, image);
    for (const tag of tags) {
      await world.clock.advance(afterMs);
      await registry.pushManifest(name, tag, image.bytes.get(image.manifest.digest) ?? "");
    }
  };
  /** Tags of a repository of their own, each pushed an hour after the one before, and what a deletion leaves of them. */
  async function left(tags: readonly string[], query: Readonly<Record<string, string>>) {
    count += 1;
    const name = `bank/ledger/bulk${count}`;
    await pushAll(name, tags, 60 * 60_000);
    const id = await idOf(name);
    const answer = await world.call("DELETE", `${list}/${id}/tags`, { token: mia ?? "", query });
    expect([answer.status, answer.body]).toEqual([202, { message: "202 Accepted" }]);
    await world.jobsDone();
    return (await registry.call("GET", `${name}/tags/list`)).body.tags.join(" ");
  }

  test.each([
    ["v1 v2 w1", { name_regex_delete: "v.*" }, "w1"],
    ["v1 v2 w1", { name_regex: "v.*" }, "w1"],
    ["v1 v2 w1", { name_regex_delete: "w.*", name_regex: "v.*" }, "v1 v2"],
    ["v1 v10 av1", { name_regex_delete: "v1" }, "av1 v10"],
    ["v1 v10 w", { name_regex_delete: "v1|w" }, "v10"],
    ["latest v1", { name_regex_delete: ".*" }, "latest"],
    ["v1 v2 v3", { name_regex_delete: ".*", name_regex_keep: "v2" }, "v2"],
    ["v3 v1 v2 w", { name_regex_delete: "v.*", keep_n: "2" }, "v1 v2 w"],
    ["v1 v2 v3 latest", { name_regex_delete: ".*", name_regex_keep: "v3", keep_n: "1" }, "latest v2 v3"],
    ["v1 v2 v3", { name_regex_delete: ".*", older_than: "90m" }, "v2 v3"],
    ["v1 v2 v3", { name_regex_delete: ".*", older_than: "1 hour", keep_n: "2" }, "v2 v3"],
    ["v1 v2", { name_regex_delete: ".*", older_than: "1month" }, "v1 v2"],
    ["v1 v2", { name_regex_delete: "" }, "v1 v2"],
  ])("of %s, %j leaves %s", async (tags, query, expected) => {
    expect(await left(tags.split(" "), query)).toBe(expected);
  });

  test("are deleted in steps, and one pushed meanwhile stays", async () => {
    await pushAll(
      "bank/ledger/steps",
      Array.from({ length: 60 }, (_, at) => `t${at}`),
    );
    const path = `${list}/${await idOf("bank/ledger/steps")}/tags?name_regex_delete=t.*`;
    expect((await remove(path, mia)).status).toBe(202);
    await world.clock.advance(1_000);
    await registry.push("bank/ledger/steps", "t7", makeImage(["another image"]));
    await world.jobsDone();
    const { body } = await registry.call("GET", "bank/ledger/steps/tags/list");
    expect([["t7"], []]).toContainEqual(body.tags);
  });

  test("are deleted once an hour in one repository", async () => {
    await pushAll("bank/ledger/hourly", ["v1", "v2"]);
    const id = await idOf("bank/ledger/hourly");
    const ask = () => remove(`${list}/${id}/tags?name_regex_delete=v1`, mia);
    expect((await ask()).status).toBe(202);
    await world.jobsDone();
    await world.clock.advance(60 * 60_000 - 1);
    const second = await ask();
    expect([second.status, second.body]).toEqual([
      400,
      {
        message:
          "This request has already been made. You can run this at most once an hour for a given container repository",
      },
    ]);
    await world.clock.advance(1);
    expect((await ask()).status).toBe(202);
  });

  test("are deleted by maintainers, with valid patterns and times", async () => {
    await registry.push("bank/ledger/refused", "v1", image);
    const tags = `${list}/${await idOf("bank/ledger/refused")}/tags`;
    const outcome = async (query: string, token = mia) => {
      const { status, body } = await remove(`${tags}${query}`, token);
      return [status, body.error ?? body.message];
    };
    expect(await outcome("")).toEqual([
      400,
      "name_regex_delete, name_regex are missing, at least one parameter must be provided",
    ]);
    const slowToCompile = `(?i)[^${"B-\u{10FFFF}".repeat(62)}]`;
    for (const pattern of ["(", "*", "a{1001}", "a".repeat(256), "(?=a)", "(\\pL\\pN){400}", slowToCompile]) {
      const query = encodeURIComponent(pattern);
      expect(await outcome(`?name_regex_delete=${query}`)).toEqual([400, "name_regex_delete is an invalid regexp"]);
      const keeping = await outcome(`?name_regex_delete=v&name_regex_keep=${query}`);
      expect(keeping).toEqual([400, "name_regex_keep is an invalid regexp"]);
    }
    for (const time of ["x", "5", "-1h", "1 fortnight"])
      expect(await outcome(`?name_regex_delete=v&older_than=${time}`)).toEqual([400, "older_than is invalid"]);
    expect(await outcome("?name_regex_delete=v&keep_n=x")).toEqual([400, "keep_n is invalid"]);
    expect(await outcome("?name_regex_delete=.*", dora)).toEqual([403, "403 Forbidden"]);
    const unknown = await remove(`${list}/99999/tags?name_regex_delete=v`, mia);
    expect([unknown.status, unknown.body]).toEqual([404, { message: "404 Not Found" }]);
    await world.jobsDone();
    expect((await registry.call("GET", "bank/ledger/refused/tags/list")).body.tags).toEqual(["v1"]);
  });
});

test("images are deleted with their project", async () => {
  const doomed = project(bank.id, { path: "doomed" });
  await registry.push("bank/doomed/app", "v1");
  await world.call("DELETE", `/projects/${doomed.id}`, { token: rootToken });
  await world.jobsDone();
  for (const each of [containerRepositories, containerTags, containerManifests, containerBlobs]) {
    expect(world.store.of(each as typeof containerTags).by.project_id.find(doomed.id).size).toBe(0);
  }
});
