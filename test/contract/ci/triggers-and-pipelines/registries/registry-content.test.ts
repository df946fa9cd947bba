import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { digestOf, indexType, manifestType } from "../../../../support/ci/oci-layout.ts";
import { genericPath, uploadTo } from "../../../../support/ci/packages.ts";
import { registryOf } from "../../../../support/ci/registry.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Answer, type Json, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member } = placesOf(world);
const bank = group({ path: "bank" });
const ledger = project(bank.id, { path: "ledger" });
const dora = await world.user();
member(ledger, dora.id, accessLevels.developer);
const registry = registryOf(world, dora.token);

const jsonOf = (value: unknown) => JSON.stringify(value);
const outcome = ({ status, body }: Answer) => [status, ...body.errors.map(({ code }: Json) => code)];

describe("a range", () => {
  const content = Array.from({ length: 2_048 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
  const digest = digestOf(content);
  const blob = `bank/ledger/blobs/${digest}`;
  const get = (headers: Readonly<Record<string, string>>, method = "GET") => registry.call(method, blob, { headers });

  test.each([
    ["bytes=500-1499", 500, 1_499],
    ["bytes=500-", 500, 2_047],
    ["bytes=-500", 1_548, 2_047],
    ["bytes=-5000", 0, 2_047],
    ["bytes=2000-5000", 2_000, 2_047],
    ["bytes=0-0", 0, 0],
  ])("of a blob is answered: %s", async (range, first, last) => {
    await registry.pushBlob("bank/ledger", content);
    const { status, text, headers } = await get({ Range: range });
    expect([status, text]).toEqual([206, content.slice(first, last + 1)]);
    expect(headers.get("content-range")).toBe(`bytes ${first}-${last}/2048`);
    expect(headers.get("content-length")).toBe(String(last - first + 1));
    expect([headers.get("docker-content-digest"), headers.get("etag")]).toEqual([digest, `"${digest}"`]);
  });

  test.each([["bytes=500-0"], ["bytes=5000-10000"], ["bytes=2048-"], ["bytes=-0"]])("is invalid: %s", async (range) => {
    const answer = await get({ Range: range });
    expect(outcome(answer)).toEqual([416, "UNSUPPORTED"]);
    expect(answer.headers.get("content-range")).toBe("bytes */2048");
  });

  test.each([["bytes=0-0,2-3"], ["items=0-1"], ["bytes=x"], ["bytes=-"]])("does not match %s", async (range) => {
    const { status, text } = await get({ Range: range });
    expect([status, text]).toEqual([200, content]);
  });

  test("depends on the client's tag, and a HEAD describes the whole", async () => {
    const statusWith = async (tag: string) => (await get({ Range: "bytes=1-2", "If-Range": tag })).status;
    expect([await statusWith(`"${digest}"`), await statusWith('"other"')]).toEqual([206, 200]);
    const head = await get({ Range: "bytes=1-2" }, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "2048"]);
    const known = await get({ "If-None-Match": `"${digest}"` });
    expect([known.status, known.text, known.headers.get("etag")]).toEqual([304, "", `"${digest}"`]);
  });

  test("of a package's file is answered, too", async () => {
    await uploadTo(world, ledger.id, "app/1.0/a.bin", { raw: "0123456789" });
    const path = genericPath(ledger.id, "app/1.0/a.bin");
    const part = await world.get(path, { headers: { Range: "bytes=2-4" } });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "234", "bytes 2-4/10"]);
    const beyond = await world.get(path, { headers: { Range: "bytes=10-" } });
    expect([beyond.status, beyond.body]).toEqual([416, { message: "416 Range Not Satisfiable" }]);
  });
});

describe("the type of a manifest", () => {
  test.each([
    ["text/html", {}, manifestType],
    ["text/html", { mediaType: "text/html" }, manifestType],
    ["application/xhtml+xml", {}, manifestType],
    ["application/javascript", {}, manifestType],
    ["image/svg+xml", {}, manifestType],
    ["text/plain", {}, manifestType],
    ["", { mediaType: "text/html" }, manifestType],
    ["", { mediaType: indexType, manifests: [] }, indexType],
    ["application/json", {}, "application/json"],
    ["application/vnd.example.thing.v1+json", {}, "application/vnd.example.thing.v1+json"],
    ["application/vnd.docker.distribution.manifest.v1+prettyjws", {}, undefined],
  ] as const)("pushed as %p with %j is served as one that browsers do not show", async (type, manifest, served) => {
    expect((await registry.pushManifest("bank/ledger", "typed", jsonOf(manifest), type)).status).toBe(201);
    const { headers } = await registry.call("HEAD", "bank/ledger/manifests/typed");
    expect(headers.get("content-type")).toBe(served ?? type);
  });
});

test("a manifest with very many missing references reports the first hundred", async () => {
  const layers = Array.from({ length: 300 }, (_, at) => ({ digest: digestOf(`layer ${at}`), size: 1 }));
  const { status, body } = await registry.pushManifest("bank/ledger", "many", jsonOf({ layers }));
  expect([status, body.errors.length, body.errors[0].code]).toEqual([400, 100, "MANIFEST_BLOB_UNKNOWN"]);
});

test("a manifest that names more than a thousand blobs and manifests is refused", async () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => ({ digest: digestOf(`${at}`), size: 1 }));
  const push = async (layers: number, manifests: number) => {
    const manifest = jsonOf({ layers: named(layers), manifests: named(manifests) });
    const { status, body } = await registry.pushManifest("bank/ledger", "m", manifest);
    return [status, body.errors[0].code];
  };
  expect(await push(500, 500)).toEqual([400, "MANIFEST_BLOB_UNKNOWN"]);
  expect(await push(500, 501)).toEqual([400, "MANIFEST_INVALID"]);
});

test("an index of BuildKit's cache names layers and a configuration, which need to be blobs", async () => {
  const cacheConfig = "application/vnd.buildkit.cacheconfig.v0";
  const entry = (mediaType: string, text: string) => ({ mediaType, digest: digestOf(text), size: text.length });
  const manifests = [
    entry("application/vnd.oci.image.layer.v1.tar+gzip", "a layer"),
    entry("application/vnd.docker.image.rootfs.diff.tar.gzip", "an older layer"),
    entry(cacheConfig, "{}"),
  ];
  const cache = jsonOf({ schemaVersion: 2, mediaType: indexType, manifests });
  const push = (raw: string) => registry.pushManifest("bank/ledger", "buildcache", raw, indexType);
  expect(outcome(await push(cache))).toEqual([400, ...Array(3).fill("MANIFEST_BLOB_UNKNOWN")]);
  for (const text of ["a layer", "an older layer", "{}"]) await registry.pushBlob("bank/ledger", text);
  expect((await push(cache)).status).toBe(201);
  const { text, headers } = await registry.call("GET", "bank/ledger/manifests/buildcache");
  expect([text, headers.get("content-type")]).toEqual([cache, indexType]);
  const image = jsonOf({ manifests: [entry("application/vnd.oci.image.manifest.v1+json", "a layer")] });
  expect(outcome(await push(image))).toEqual([400, "MANIFEST_BLOB_UNKNOWN"]);
});

test("an unsupported method on a path of the registry is refused in the registry's error format", async () => {
  const answer = await registry.call("PATCH", "bank/ledger/tags/list");
  expect(outcome(answer)).toEqual([405, "UNSUPPORTED"]);
  expect(answer.headers.get("docker-distribution-api-version")).toBe("registry/2.0");
  expect(answer.headers.get("allow")).toContain("GET");
});

describe("a digest of SHA-512", () => {
  const sha512Of = (bytes: string) => `sha512:${new Bun.CryptoHasher("sha512").update(bytes).digest("hex")}`;
  const name = "bank/ledger/longer";

  test("names a blob as one of SHA-256 does, by every way of pushing", async () => {
    for (const [at, push] of [
      (bytes: string) => registry.pushBlob(name, bytes, sha512Of(bytes)),
      async (bytes: string) => {
        const upload = await registry.begin(name);
        await registry.call("PATCH", upload, { raw: bytes.slice(0, 3) });
        return registry.call("PUT", `${upload}?digest=${sha512Of(bytes)}`, { raw: bytes.slice(3) });
      },
    ].entries()) {
      const bytes = `pushed in way ${at}`;
      const { status, headers } = await push(bytes);
      expect([status, headers.get("docker-content-digest")]).toEqual([201, sha512Of(bytes)]);
      for (const digest of [sha512Of(bytes), digestOf(bytes)]) {
        const got = await registry.call("GET", `${name}/blobs/${digest}`);
        expect([got.status, got.text, got.headers.get("docker-content-digest")]).toEqual([200, bytes, digest]);
      }
      const mounted = await registry.call(
        "POST",
        `${name}/mounted/blobs/uploads/?mount=${sha512Of(bytes)}&from=${name}`,
      );
      expect(mounted.status).toBe(201);
      expect((await registry.call("HEAD", `${name}/mounted/blobs/${sha512Of(bytes)}`)).status).toBe(200);
    }
  });

  test("that belongs to other bytes is refused", async () => {
    const answer = await registry.pushBlob(name, "one thing", sha512Of("another"));
    expect(outcome(answer)).toEqual([400, "DIGEST_INVALID"]);
    expect((await registry.call("HEAD", `${name}/blobs/${digestOf("one thing")}`)).status).toBe(404);
    const manifest = await registry.pushManifest(name, sha512Of("another"), "{}");
    expect(outcome(manifest)).toEqual([400, "DIGEST_INVALID"]);
  });

  test("names a manifest, and what a manifest and an index name", async () => {
    const [config, layer] = ["{}", "a layer"];
    for (const bytes of [config, layer]) await registry.pushBlob(name, bytes, sha512Of(bytes));
    const descriptor = (bytes: string) => ({ digest: sha512Of(bytes), size: bytes.length });
    const layers = [descriptor(layer), { ...descriptor(layer), digest: digestOf(layer) }];
    const image = jsonOf({ mediaType: manifestType, config: descriptor(config), layers });
    const pushed = await registry.pushManifest(name, sha512Of(image), image, manifestType);
    expect([pushed.status, pushed.headers.get("docker-content-digest")]).toEqual([201, sha512Of(image)]);
    expect(pushed.headers.get("location")).toEndWith(sha512Of(image));
    const index = jsonOf({ mediaType: indexType, manifests: [descriptor(image)] });
    expect((await registry.pushManifest(name, "v1", index, indexType)).status).toBe(201);
    for (const digest of [sha512Of(image), digestOf(image)]) {
      const got = await registry.call("GET", `${name}/manifests/${digest}`);
      expect([got.status, got.text, got.headers.get("docker-content-digest")]).toEqual([200, image, digest]);
    }
    expect(outcome(await registry.call("DELETE", `${name}/blobs/${sha512Of(layer)}`))).toEqual([405, "UNSUPPORTED"]);
    expect((await registry.call("DELETE", `${name}/manifests/${sha512Of(image)}`)).status).toBe(202);
    expect((await registry.call("HEAD", `${name}/manifests/${digestOf(image)}`)).status).toBe(404);
    expect((await registry.call("DELETE", `${name}/blobs/${sha512Of(layer)}`)).status).toBe(202);
    expect((await registry.call("HEAD", `${name}/blobs/${digestOf(layer)}`)).status).toBe(404);
  });
});

describe("the referrers of a manifest", () => {
  const name = "bank/ledger/referred";
  const subject = { mediaType: manifestType, digest: digestOf("a subject that is not there"), size: 27 };
  const list = async (query = "", digest = subject.digest) => {
    const answer = await registry.call("GET", `${name}/referrers/${digest}${query}`);
    expect(answer.headers.get("content-type")).toBe(indexType);
    return { ...answer, body: JSON.parse(answer.text) };
  };
  const push = async (manifest: object, type = manifestType) => {
    const bytes = jsonOf({ schemaVersion: 2, mediaType: type, subject, ...manifest });
    const { status, headers } = await registry.pushManifest(name, digestOf(bytes), bytes, type);
    expect([status, headers.get("oci-subject")]).toEqual([201, subject.digest]);
    return { mediaType: type, digest: digestOf(bytes), size: bytes.length };
  };

  test("are none at first, and hidden from callers who may not pull", async () => {
    const { status, body, headers } = await list();
    expect([status, body]).toEqual([200, { schemaVersion: 2, mediaType: indexType, manifests: [] }]);
    expect(headers.has("oci-filters-applied")).toBe(false);
    const bad = await registry.call("GET", `${name}/referrers/sha256:12`);
    expect(outcome(bad)).toEqual([400, "DIGEST_INVALID"]);
    const stranger = (await world.user()).token;
    const refused = await registryOf(world, stranger).call("GET", `${name}/referrers/${subject.digest}`);
    expect(outcome(refused)).toEqual([404, "NAME_UNKNOWN"]);
  });

  test("are listed with their type and annotations, and filtered by type", async () => {
    await registry.pushBlob(name, "{}");
    const config = { mediaType: "application/vnd.example.config", digest: digestOf("{}"), size: 2 };
    const annotations = { "org.example.key": "value" };
    const byConfig = await push({ config, annotations });
    const byType = await push({ config, artifactType: "application/vnd.example+type", annotations: { n: "1" } });
    const index = await push({ manifests: [] }, indexType);
    const ofConfig = { ...byConfig, artifactType: config.mediaType, annotations };
    const ofType = { ...byType, artifactType: "application/vnd.example+type", annotations: { n: "1" } };
    expect((await list()).body.manifests).toEqual([ofConfig, ofType, index]);
    const found = await list(`?artifactType=${encodeURIComponent("application/vnd.example+type")}`);
    expect(found.body.manifests).toEqual([ofType]);
    expect(found.headers.get("oci-filters-applied")).toBe("artifactType");
    expect((await list("?artifactType=none")).body.manifests).toEqual([]);
    expect((await list("", digestOf("other"))).body.manifests).toEqual([]);
    await registry.call("DELETE", `${name}/manifests/${byType.digest}`);
    expect((await list()).body.manifests).toEqual([ofConfig, index]);
  });

  test("continue on the next page, with the type filter too", async () => {
    const many = { ...subject, digest: digestOf("of many") };
    const large = "x".repeat(1_500_000);
    const pushed: string[] = [];
    for (const at of [1, 2, 3, 4, 5]) {
      const artifactType = `application/vnd.example.${at % 2}`;
      const bytes = jsonOf({ subject: many, artifactType, annotations: { large: `${at}${large}` } });
      await registry.pushManifest(name, digestOf(bytes), bytes);
      pushed.push(digestOf(bytes));
    }
    for (const [query, expected] of [
      ["", pushed],
      ["?artifactType=application/vnd.example.1", pushed.filter((_, at) => at % 2 === 0)],
    ] as const) {
      const seen: string[] = [];
      let next: string | undefined = query;
      for (let pages = 0; next !== undefined; pages += 1) {
        const { body, headers } = await list(next, many.digest);
        seen.push(...body.manifests.map(({ digest }: Json) => digest));
        const url = linksOf(headers).get("next");
        next = url === undefined ? undefined : new URL(url).search;
        expect(pages).toBeLessThan(4);
      }
      expect(seen).toEqual(expected);
    }
  });

  test.each([[7], [{}], [{ digest: "sha256:12" }]])("ignore %j as a subject", async (wrong) => {
    const answer = await registry.pushManifest(name, "v1", jsonOf({ subject: wrong }));
    expect(outcome(answer)).toEqual([400, "MANIFEST_INVALID"]);
  });
});

describe("a blob goes", () => {
  const name = "bank/ledger/going-blobs";

  test("once no manifest names it, on request of a user who may push", async () => {
    await registry.push(name, "v1");
    await registry.pushBlob(name, "of no manifest");
    const at = `${name}/blobs/${digestOf("of no manifest")}`;
    const reporter = await world.user();
    member(ledger, reporter.id, accessLevels.reporter);
    expect(outcome(await registryOf(world, reporter.token).call("DELETE", at))).toEqual([403, "DENIED"]);
    expect((await registry.call("DELETE", at)).status).toBe(202);
    for (const method of ["GET", "DELETE"])
      expect(outcome(await registry.call(method, at))).toEqual([404, "BLOB_UNKNOWN"]);
    const { config } = (await registry.call("GET", `${name}/manifests/v1`)).body;
    expect(outcome(await registry.call("DELETE", `${name}/blobs/${config.digest}`))).toEqual([405, "UNSUPPORTED"]);
    expect((await registry.call("HEAD", `${name}/blobs/${config.digest}`)).status).toBe(200);
  });
});

test("a piece has the length of its range, also without a Content-Length", async () => {
  const name = "bank/ledger/ranges";
  const send = (upload: string, raw: string, range: string) =>
    fetch(`${world.origin}/v2/${upload}`, {
      method: "PATCH",
      body: new ReadableStream({
        start(controller) {
          for (const letter of raw) controller.enqueue(new TextEncoder().encode(letter));
          controller.close();
        },
      }),
      headers: { Authorization: `Basic ${btoa(`x:${dora.token}`)}`, "Content-Range": range },
    });
  const upload = await registry.begin(name);
  for (const [to, raw, range] of [
    [await registry.begin(name), "longer", "0-2"],
    [upload, "sh", "0-6"],
  ] as const) {
    const answer = await send(to, raw, range);
    const { errors } = (await answer.json()) as Json;
    expect([answer.status, errors[0].code]).toEqual([400, "SIZE_INVALID"]);
  }
  expect((await registry.call("GET", upload)).headers.get("range")).toBe("0-1");
  const patch = (range: string) => registry.call("PATCH", upload, { raw: "or", headers: { "Content-Range": range } });
  expect([(await patch("3-2")).status, (await patch("2-1")).status, (await patch("2-3")).status]).toEqual([
    416, 416, 202,
  ]);
  expect((await registry.call("PUT", `${upload}?digest=${digestOf("shor")}`)).status).toBe(201);
});
