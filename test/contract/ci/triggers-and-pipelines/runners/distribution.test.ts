import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { digestOf, indexType, makeImage, manifestType } from "../../../../support/ci/oci-layout.ts";
import { registryOf } from "../../../../support/ci/registry.ts";
import { alterJob, putRunningJob } from "../../../../support/ci/running-job.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Answer, type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member, alterProject } = placesOf(world);
const bank = group({ path: "bank" });
const ledger = project(bank.id, { path: "ledger" });
const open = project(bank.id, { path: "open", visibility: "public" });
const people = await Promise.all(
  (["guest", "reporter", "developer"] as const).map(async (role) => {
    const person = await world.user({ username: `the-${role}` });
    for (const each of [ledger, open]) member(each, person.id, accessLevels[role]);
    return person;
  }),
);
const [gus, rita, dora] = people.map(({ token }) => token);
const registry = registryOf(world, dora);
const pull = registryOf(world, rita);

const codesOf = ({ body }: Answer) => body.errors.map(({ code }: Json) => code);
const outcome = (answer: Answer) => [answer.status, ...codesOf(answer)];
const unknownDigest = digestOf("nobody has this");
const isOnDisk = (bytes: string | Uint8Array) =>
  existsSync(world.store.blobs.pathOf(digestOf(bytes).replace("sha256:", "")));
const jsonOf = (value: unknown) => JSON.stringify(value);

describe("the caller", () => {
  test.each([
    ["nobody", ""],
    ["a token that nobody has", "opx-00000000000000000000"],
  ])("%s is asked for Basic credentials", async (_, token) => {
    const answer = await registryOf(world, token).call("GET", "");
    expect(outcome(answer)).toEqual([401, "UNAUTHORIZED"]);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="outpost"');
    expect(answer.headers.get("docker-distribution-api-version")).toBe("registry/2.0");
  });

  test("with a token gets an answer, and a header, that there is a registry", async () => {
    const { status, headers } = await pull.call("GET", "");
    expect([status, headers.get("docker-distribution-api-version")]).toEqual([200, "registry/2.0"]);
    expect((await world.call("GET", "/v2/", { token: rita })).status).toBe(200);
  });

  test("pushes as a developer, pulls as a reporter; a guest does neither, and other users get 404", async () => {
    const { layers } = await registry.push("bank/ledger", "v1");
    const layer = layers[0]?.digest;
    const reads = ["tags/list", "manifests/v1", `blobs/${layer}`].map((end) => `bank/ledger/${end}`);
    const stranger = (await world.user()).token;
    for (const path of reads) {
      expect((await pull.call("GET", path)).status).toBe(200);
      expect(outcome(await registryOf(world, gus).call("GET", path))).toEqual([403, "DENIED"]);
      expect(outcome(await registryOf(world, stranger).call("GET", path))).toEqual([404, "NAME_UNKNOWN"]);
    }
    const writes = [
      ["POST", "bank/ledger/blobs/uploads/"],
      ["PUT", "bank/ledger/manifests/v1"],
      ["DELETE", "bank/ledger/manifests/v1"],
    ] as const;
    for (const [method, path] of writes) expect(outcome(await pull.call(method, path))).toEqual([403, "DENIED"]);
    expect(outcome(await registryOf(world, stranger).call("POST", "bank/open/blobs/uploads/"))).toEqual([
      403,
      "DENIED",
    ]);
  });

  test("with a token of too small a scope is refused, with one for the registry is not", async () => {
    const { id } = people[2] as Json;
    const tokenFor = async (scope: string) => (await world.token(id, { scopes: [scope] })).token;
    const [reads, writes] = [await tokenFor("read_registry"), await tokenFor("write_registry")];
    expect((await registryOf(world, reads).call("GET", "bank/ledger/tags/list")).status).toBe(200);
    const refused = await registryOf(world, reads).call("POST", "bank/ledger/blobs/uploads/");
    expect(outcome(refused)).toEqual([403, "DENIED"]);
    await registryOf(world, writes).push("bank/ledger", "by-scope");
  });

  test("may be a running job, which pushes and pulls in its own project, until it ends", async () => {
    const { token, job } = putRunningJob(world, ledger.id, 1);
    const ofJob = registryOf(world, token);
    await ofJob.push("bank/ledger/ci", "v1");
    expect((await ofJob.call("GET", "bank/ledger/ci/manifests/v1")).status).toBe(200);
    const other = project(bank.id, { path: "other" });
    expect(outcome(await ofJob.call("GET", `bank/${other.path}/tags/list`))).toEqual([403, "DENIED"]);
    alterJob(world, job, { status: "success" });
    expect(outcome(await ofJob.call("GET", "bank/ledger/ci/tags/list"))).toEqual([401, "UNAUTHORIZED"]);
  });

  test("is refused in a project without a registry, and may not push to an archived project", async () => {
    const off = project(bank.id, { path: "off", settings: { container_registry_access_level: "disabled" } });
    const root = registryOf(world);
    expect(outcome(await root.call("POST", `bank/${off.path}/blobs/uploads/`))).toEqual([403, "DENIED"]);
    const old = project(bank.id, { path: "old" });
    await root.push("bank/old", "v1");
    alterProject(old, { archived: true });
    expect(outcome(await root.call("POST", "bank/old/blobs/uploads/"))).toEqual([403, "DENIED"]);
    expect((await root.call("GET", "bank/old/manifests/v1")).status).toBe(200);
  });
});

describe("a name", () => {
  test("is the full path of a project, with further segments", async () => {
    for (const name of ["bank/ledger", "bank/ledger/app", "bank/ledger/app/linux_amd64.x--y"]) {
      await registry.push(name, "named");
      expect((await pull.call("GET", `${name}/tags/list`)).body).toMatchObject({ name });
    }
    expect((await pull.call("GET", "BANK/Ledger/app/tags/list")).status).toBe(200);
  });

  test.each([["bank/ledger/App"], ["bank/ledger/a__.b"], ["bank/ledger/-a"], [`bank/ledger/${"a".repeat(250)}`]])(
    "%s is invalid",
    async (name) => {
      expect(outcome(await registry.call("POST", `${name}/blobs/uploads/`))).toEqual([400, "NAME_INVALID"]);
    },
  );

  test("without a project is unknown, and so is one without images", async () => {
    for (const name of ["bank/nothing/app", "ledger", "bank"]) {
      expect(outcome(await registry.call("POST", `${name}/blobs/uploads/`))).toEqual([404, "NAME_UNKNOWN"]);
    }
    for (const end of ["tags/list", "manifests/v1", `blobs/${unknownDigest}`]) {
      expect(outcome(await registry.call("GET", `bank/ledger/never/${end}`))).toEqual([404, "NAME_UNKNOWN"]);
    }
  });
});

describe("a blob", () => {
  const name = "bank/ledger/blobs";
  const at = (text: string) => `${name}/blobs/${digestOf(text)}`;

  test("is pushed in one request, in two, and in pieces, and pulled unchanged", async () => {
    const text = "pushed in many ways";
    const one = await registry.pushBlob(name, "one request");
    expect([one.status, one.headers.get("docker-content-digest")]).toEqual([201, digestOf("one request")]);
    expect(one.headers.get("location")).toBe(`${world.origin}/v2/${at("one request")}`);
    const two = await registry.begin(name);
    expect(
      (await registry.call("PUT", `${two}?digest=${digestOf("two requests")}`, { raw: "two requests" })).status,
    ).toBe(201);
    const many = await registry.begin(name);
    for (const [from, piece] of [
      [0, "pushed "],
      [7, "in many"],
      [14, " ways"],
    ] as const) {
      const headers = { "Content-Range": `${from}-${from + piece.length - 1}` };
      const { status, headers: answered } = await registry.call("PATCH", many, { raw: piece, headers });
      expect([status, answered.get("range")]).toEqual([202, `0-${from + piece.length - 1}`]);
    }
    const asked = await registry.call("GET", many);
    expect([asked.status, asked.headers.get("range")]).toEqual([204, "0-18"]);
    expect((await registry.call("PUT", `${many}?digest=${digestOf(text)}`)).status).toBe(201);
    for (const each of [text, "one request", "two requests"]) {
      const { status, text: content, headers } = await pull.call("GET", at(each));
      expect([status, content, headers.get("docker-content-digest")]).toEqual([200, each, digestOf(each)]);
      const head = await pull.call("HEAD", at(each));
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(each.length)]);
    }
  });

  test("whose bytes do not match its digest is refused, and nothing of it is stored", async () => {
    const digest = digestOf("the right bytes");
    expect(outcome(await registry.pushBlob(name, "other bytes", digest))).toEqual([400, "DIGEST_INVALID"]);
    const upload = await registry.begin(name);
    const put = (query: string) => registry.call("PUT", `${upload}${query}`, { raw: "other bytes" });
    for (const query of ["", "?digest=sha256:12", `?digest=sha384:${"0".repeat(96)}`]) {
      expect(outcome(await put(query))).toEqual([400, "DIGEST_INVALID"]);
    }
    expect(outcome(await put(`?digest=${digest}`))).toEqual([400, "DIGEST_INVALID"]);
    expect(outcome(await put(`?digest=${digest}`))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
    expect(outcome(await pull.call("GET", `${name}/blobs/${digest}`))).toEqual([404, "BLOB_UNKNOWN"]);
    expect(isOnDisk("other bytes")).toBe(false);
  });

  test("with a gap between pieces is refused, and may continue from the last valid one", async () => {
    const upload = await registry.begin(name);
    const patch = (range: string, raw: string) =>
      registry.call("PATCH", upload, { raw, headers: { "Content-Range": range } });
    expect((await patch("0-4", "first")).status).toBe(202);
    for (const range of ["0-4", "6-10", "words"]) {
      const answer = await patch(range, "again");
      expect([...outcome(answer), answer.headers.get("range")]).toEqual([416, "BLOB_UPLOAD_INVALID", "0-4"]);
    }
    expect(outcome(await patch("5-5", "longer"))).toEqual([400, "SIZE_INVALID"]);
    expect((await patch("5-10", "second")).status).toBe(202);
    expect((await registry.call("PUT", `${upload}?digest=${digestOf("firstsecond")}`)).status).toBe(201);
  });

  test("is mounted from a repository that the caller may pull from, and pushed otherwise", async () => {
    const secret = project(bank.id, { path: "secret" });
    await registryOf(world).pushBlob("bank/secret", "of others");
    const mount = (digest: string, from: string) =>
      registry.call("POST", `bank/open/mounted/blobs/uploads/?mount=${digest}&from=${from}`);
    await registry.pushBlob(name, "to be mounted");
    const { status, headers } = await mount(digestOf("to be mounted"), name);
    expect([status, headers.get("docker-content-digest")]).toEqual([201, digestOf("to be mounted")]);
    expect((await registry.call("GET", `bank/open/mounted/blobs/${digestOf("to be mounted")}`)).text).toBe(
      "to be mounted",
    );
    expect((await mount(digestOf("of others"), "bank/secret")).status).toBe(202);
    expect((await mount(unknownDigest, name)).status).toBe(202);
    expect(secret.id).toBeGreaterThan(0);
  });

  test("of one repository is not in another, but its bytes are stored once", async () => {
    await registry.pushBlob(name, "only here");
    await registry.pushBlob("bank/ledger/elsewhere", "something else");
    const { status } = await pull.call("GET", `bank/ledger/elsewhere/blobs/${digestOf("only here")}`);
    expect(status).toBe(404);
  });

  test("during its upload belongs to its sender, may be cancelled, and expires after an hour", async () => {
    const upload = await registry.begin(name);
    expect(outcome(await registryOf(world).call("GET", upload))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
    const elsewhere = upload.replace(name, "bank/ledger/x");
    expect(outcome(await registry.call("PATCH", elsewhere, { raw: "x" }))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
    expect((await registry.call("DELETE", upload)).status).toBe(204);
    expect(outcome(await registry.call("DELETE", upload))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
    const forgotten = await registry.begin(name);
    await registry.call("PATCH", forgotten, { raw: "some" });
    await world.clock.advance(59 * 60_000);
    expect((await registry.call("GET", forgotten)).status).toBe(204);
    await world.clock.advance(2 * 60 * 60_000);
    await world.jobsDone();
    expect(outcome(await registry.call("GET", forgotten))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
  });

  test("upload takes one request at a time", async () => {
    const upload = await registry.begin(name);
    const answers = await Promise.all(["aaaa", "bbbb"].map((raw) => registry.call("PATCH", upload, { raw })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    const size = 4 * statuses.filter((status) => status === 202).length;
    expect((await registry.call("GET", upload)).headers.get("range")).toBe(`0-${size - 1}`);
  });
});

describe("a manifest", () => {
  const name = "bank/ledger/manifests";
  const image = makeImage(["a layer"]);
  const bytes = image.bytes.get(image.manifest.digest) ?? new Uint8Array();

  test("is pushed under a tag or by its digest, and pulled by either as it was", async () => {
    await registry.push(name, "v1", image);
    const { digest } = image.manifest;
    const again = await registry.pushManifest(name, digest, bytes, manifestType);
    expect([again.status, again.headers.get("docker-content-digest")]).toEqual([201, digest]);
    expect(again.headers.get("location")).toBe(`${world.origin}/v2/${name}/manifests/${digest}`);
    for (const reference of ["v1", digest]) {
      const { status, text, headers } = await pull.call("GET", `${name}/manifests/${reference}`);
      expect([status, text]).toEqual([200, Buffer.from(bytes).toString()]);
      expect([headers.get("content-type"), headers.get("docker-content-digest")]).toEqual([manifestType, digest]);
      const head = await pull.call("HEAD", `${name}/manifests/${reference}`);
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.byteLength)]);
    }
  });

  test("may be of any type, which the manifest itself may declare", async () => {
    const types = ["application/vnd.example.thing.v1+json", "application/json"];
    for (const type of types) {
      expect((await registry.pushManifest(name, "typed", jsonOf({ schemaVersion: 2, type }), type)).status).toBe(201);
      const { headers } = await fetch(`${world.origin}/v2/${name}/manifests/typed`, {
        headers: { "PRIVATE-TOKEN": rita ?? "" },
      });
      expect(headers.get("content-type")).toBe(type);
      // A browser is not to run what somebody pushed as a page.
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
    await registry.pushManifest(name, "own-type", jsonOf({ mediaType: indexType, manifests: [] }));
    expect((await pull.call("HEAD", `${name}/manifests/own-type`)).headers.get("content-type")).toBe(indexType);
  });

  test.each([
    ["no JSON", "v1", "{", "", "MANIFEST_INVALID"],
    ["no object", "v1", "[]", "", "MANIFEST_INVALID"],
    ["a layer without a digest", "v1", jsonOf({ layers: [{}] }), "", "MANIFEST_INVALID"],
    ["layers that are no list", "v1", jsonOf({ layers: {} }), "", "MANIFEST_INVALID"],
    ["another type inside", "v1", jsonOf({ mediaType: indexType }), manifestType, "MANIFEST_INVALID"],
    ["a type that no header can hold", "v1", jsonOf({ mediaType: "a/b\r\nX-Own: 1" }), "", "MANIFEST_INVALID"],
    ["a type that is none", "v1", jsonOf({ mediaType: " " }), "", "MANIFEST_INVALID"],
    ["a digest that is no text", "v1", jsonOf({ layers: [{ digest: { toString: 1 } }] }), "", "MANIFEST_INVALID"],
    ["a deep digest", "v1", `{"layers":[{"digest":${"[".repeat(1e5)}${"]".repeat(1e5)}}]}`, "", "MANIFEST_INVALID"],
    ["more levels than it needs", "v1", `{"x":${"[".repeat(100)}${"]".repeat(100)}}`, "", "MANIFEST_INVALID"],
    ["another digest", unknownDigest, jsonOf({}), "", "DIGEST_INVALID"],
    ["a digest of another kind", `sha384:${"0".repeat(96)}`, jsonOf({}), "", "DIGEST_INVALID"],
    ["a bad tag", "-v1", jsonOf({}), "", "TAG_INVALID"],
  ])("with %s is refused", async (_, reference, raw, type, code) => {
    expect(outcome(await registry.pushManifest(name, reference, raw, type))).toEqual([400, code]);
  });

  test("declares the size of foreign layers, if it is valid", async () => {
    const layers = [1e308, 1e308, 1.5, -1, 40, 2].map((size) => ({ urls: ["a"], size, digest: unknownDigest }));
    expect((await registry.pushManifest("bank/ledger/sizes", "v1", jsonOf({ layers }))).status).toBe(201);
    const { body } = await world.get(`/projects/${ledger.id}/registry/repositories?per_page=100`);
    const { id } = body.find(({ path }: Json) => path === "bank/ledger/sizes");
    const tag = await world.get(`/projects/${ledger.id}/registry/repositories/${id}/tags/v1`);
    expect(tag.body.total_size).toBe(42);
  });

  test("that is too large is refused", async () => {
    const answer = await registry.pushManifest(name, "large", jsonOf({ x: "x".repeat(4 << 20) }));
    expect(outcome(answer)).toEqual([413, "SIZE_INVALID"]);
  });

  test("whose blobs are missing in the repository is refused, with an error for each", async () => {
    const other = makeImage(["never pushed", "nor this"]);
    const missing = [other.config, ...other.layers].map(({ digest }) => digest);
    const answer = await registry.pushManifest(name, "v2", other.bytes.get(other.manifest.digest) ?? "", manifestType);
    expect(outcome(answer)).toEqual([400, ...missing.map(() => "MANIFEST_BLOB_UNKNOWN")]);
    expect(answer.body.errors.map(({ detail }: Json) => detail.digest)).toEqual(missing);
    const index = jsonOf({ mediaType: indexType, manifests: [other.manifest] });
    expect(outcome(await registry.pushManifest(name, "v2", index, indexType))).toEqual([400, "MANIFEST_BLOB_UNKNOWN"]);
    expect(outcome(await pull.call("GET", `${name}/manifests/v2`))).toEqual([404, "MANIFEST_UNKNOWN"]);
    const foreign = { ...other.layers[0], urls: ["https://layers.example/1"] };
    expect((await registry.pushManifest(name, "foreign", jsonOf({ layers: [foreign] }))).status).toBe(201);
  });

  test("is deleted by its digest with its tags, or a tag is deleted alone", async () => {
    const own = "bank/ledger/going";
    await registry.push(own, "v1", image);
    await registry.push(own, "v2", image);
    expect((await registry.call("DELETE", `${own}/manifests/v1`)).status).toBe(202);
    expect((await pull.call("GET", `${own}/tags/list`)).body.tags).toEqual(["v2"]);
    expect(outcome(await registry.call("DELETE", `${own}/manifests/v1`))).toEqual([404, "MANIFEST_UNKNOWN"]);
    expect((await registry.call("DELETE", `${own}/manifests/${image.manifest.digest}`)).status).toBe(202);
    expect((await pull.call("GET", `${own}/tags/list`)).body).toEqual({ name: own, tags: [] });
    const gone = `${own}/manifests/${image.manifest.digest}`;
    for (const method of ["GET", "DELETE"]) {
      expect(outcome(await registry.call(method, gone))).toEqual([404, "MANIFEST_UNKNOWN"]);
    }
  });
});

describe("the list of tags", () => {
  const name = "bank/ledger/tags";

  test("is sorted, and continues after the last one", async () => {
    const image = makeImage(["one for all"]);
    for (const tag of ["v10", "v2", "V3", "latest", "a_b"]) await registry.push(name, tag, image);
    const all = ["V3", "a_b", "latest", "v10", "v2"];
    expect((await pull.call("GET", `${name}/tags/list`)).body).toEqual({ name, tags: all });
    const seen: string[] = [];
    let path = `${name}/tags/list?n=2`;
    for (let count = 0; path !== ""; count += 1) {
      const { body, headers } = await pull.call("GET", path);
      seen.push(...body.tags);
      const next = linksOf(headers).get("next");
      path = next === undefined ? "" : next.slice(next.indexOf("/v2/") + 4);
      expect(count).toBeLessThan(4);
    }
    expect(seen).toEqual(all);
    expect((await pull.call("GET", `${name}/tags/list?last=latest`)).body.tags).toEqual(["v10", "v2"]);
    expect((await pull.call("GET", `${name}/tags/list?n=0`)).body.tags).toEqual([]);
    expect((await pull.call("GET", `${name}/tags/list?n=x`)).status).toBe(400);
  });
});

describe("an unreferenced blob or manifest", () => {
  const day = 24 * 60 * 60_000;
  const sizeOf = async (id: number) =>
    (await world.get(`/projects/${id}?statistics=true`)).body.statistics.container_registry_size;
  const swept = async () => {
    for (let step = 0; step < 2; step += 1) {
      await world.clock.advance(60 * 60_000);
      await world.jobsDone();
    }
  };

  test("is deleted after a day, and its space freed; shared ones stay", async () => {
    const small = project(bank.id, { path: "small" });
    const root = registryOf(world);
    const shared = makeImage(["a shared layer"]);
    const both = makeImage(["a shared layer", "one of its own"]);
    const [, ownLayer] = both.layers.map(({ digest }) => both.bytes.get(digest) ?? new Uint8Array());
    await root.push("bank/small", "shared", shared);
    await root.push("bank/small", "v1", both);
    await root.pushBlob("bank/small", "of no manifest");
    const before = await sizeOf(small.id);
    expect(before).toBeGreaterThan(0);
    // The tag moves on to another image.
    await root.push("bank/small", "v1", shared);
    await world.clock.advance(day - 3 * 60 * 60_000);
    await world.jobsDone();
    expect((await root.call("GET", `bank/small/manifests/${both.manifest.digest}`)).status).toBe(200);
    await world.clock.advance(4 * 60 * 60_000);
    await swept();
    expect((await root.call("GET", `bank/small/manifests/${both.manifest.digest}`)).status).toBe(404);
    expect((await root.call("GET", `bank/small/blobs/${digestOf("of no manifest")}`)).status).toBe(404);
    await world.clock.advance(day);
    await swept();
    expect([isOnDisk(ownLayer ?? ""), isOnDisk("of no manifest")]).toEqual([false, false]);
    for (const { digest } of shared.layers)
      expect((await root.call("GET", `bank/small/blobs/${digest}`)).status).toBe(200);
    expect(await sizeOf(small.id)).toBeLessThan(before);
    expect(await sizeOf(small.id)).toBe(
      [...shared.bytes.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
  });

  test("is referenced again when it is pushed again: an index still names it, or it was pushed by its digest", async () => {
    const name = "bank/ledger/again";
    const [child, retired] = [makeImage(["child"]), makeImage(["retired"])];
    const root = registryOf(world);
    await root.push(name, child.manifest.digest, child);
    await root.pushManifest(name, "index", jsonOf({ mediaType: indexType, manifests: [child.manifest] }), indexType);
    await root.call("DELETE", `${name}/manifests/${child.manifest.digest}`);
    await root.push(name, "v1", child);
    await root.call("DELETE", `${name}/manifests/v1`);
    await root.push(name, "v2", retired);
    await root.call("DELETE", `${name}/manifests/v2`);
    await root.push(name, retired.manifest.digest, retired);
    await world.clock.advance(2 * day);
    await swept();
    for (const { manifest, layers } of [child, retired]) {
      expect((await root.call("GET", `${name}/manifests/${manifest.digest}`)).status).toBe(200);
      expect((await root.call("GET", `${name}/blobs/${layers[0]?.digest}`)).status).toBe(200);
    }
  });

  test("is neither an image pushed by its digest, nor one that an index names", async () => {
    const name = "bank/ledger/kept";
    const image = makeImage(["by digest"]);
    const child = makeImage(["in an index"]);
    const root = registryOf(world);
    for (const each of [image, child]) await root.push(name, each.manifest.digest, each);
    await root.pushManifest(name, "index", jsonOf({ mediaType: indexType, manifests: [child.manifest] }), indexType);
    await world.clock.advance(2 * day);
    await swept();
    for (const each of [image, child]) {
      expect((await root.call("GET", `${name}/manifests/${each.manifest.digest}`)).status).toBe(200);
      expect((await root.call("GET", `${name}/blobs/${each.layers[0]?.digest}`)).status).toBe(200);
    }
  });
});

test("root's token works, and the username beside it is ignored", async () => {
  const headers = { Authorization: `Basic ${btoa(`:${rootToken}`)}` };
  expect((await world.call("GET", "/v2/", { headers })).status).toBe(200);
});

test("a user with a hundred uploads under way has to wait, and other users have not", async () => {
  const begin = () => registry.call("POST", "bank/ledger/many/blobs/uploads/");
  await world.clock.advance(2 * 60 * 60_000);
  const begun = await Promise.all(Array.from({ length: 100 }, begin));
  expect(begun.every(({ status }) => status === 202)).toBe(true);
  const answer = await begin();
  expect([...outcome(answer), answer.headers.get("retry-after")]).toEqual([429, "TOOMANYREQUESTS", "60"]);
  expect((await registryOf(world).call("POST", "bank/ledger/many/blobs/uploads/")).status).toBe(202);
  await world.clock.advance(2 * 60 * 60_000);
  expect((await begin()).status).toBe(202);
});
