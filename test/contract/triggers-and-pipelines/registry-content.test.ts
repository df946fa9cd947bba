import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { digestOf, indexType, manifestType } from "../../support/oci-layout.ts";
import { genericPath, uploadTo } from "../../support/packages.ts";
import { placesOf } from "../../support/places.ts";
import { registryOf } from "../../support/registry.ts";
import { type Answer, type Json, startWorld } from "../../support/world.ts";

const world = await startWorld();
const { group, project, member } = placesOf(world);
const bank = group({ path: "bank" });
const ledger = project(bank.id, { path: "ledger" });
const dora = await world.user();
member(ledger, dora.id, accessLevels.developer);
const registry = registryOf(world, dora.token);

const jsonOf = (value: unknown) => JSON.stringify(value);
const outcome = ({ status, body }: Answer) => [status, ...body.errors.map(({ code }: Json) => code)];

describe("a part", () => {
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

  test.each([["bytes=500-0"], ["bytes=5000-10000"], ["bytes=2048-"], ["bytes=-0"]])("is none: %s", async (range) => {
    const answer = await get({ Range: range });
    expect(outcome(answer)).toEqual([416, "UNSUPPORTED"]);
    expect(answer.headers.get("content-range")).toBe("bytes */2048");
  });

  test.each([["bytes=0-0,2-3"], ["items=0-1"], ["bytes=x"], ["bytes=-"]])("is not what %s asks for", async (range) => {
    const { status, text } = await get({ Range: range });
    expect([status, text]).toEqual([200, content]);
  });

  test("is asked for of what one knows, and a HEAD tells of the whole", async () => {
    const statusWith = async (tag: string) => (await get({ Range: "bytes=1-2", "If-Range": tag })).status;
    expect([await statusWith(`"${digest}"`), await statusWith('"other"')]).toEqual([206, 200]);
    const head = await get({ Range: "bytes=1-2" }, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "2048"]);
    const known = await get({ "If-None-Match": `"${digest}"` });
    expect([known.status, known.text, known.headers.get("etag")]).toEqual([304, "", `"${digest}"`]);
  });

  test("of a file of a package is answered, too", async () => {
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
  ] as const)("pushed as %p with %j is one that no browser shows", async (type, manifest, served) => {
    expect((await registry.pushManifest("bank/ledger", "typed", jsonOf(manifest), type)).status).toBe(201);
    const { headers } = await registry.call("HEAD", "bank/ledger/manifests/typed");
    expect(headers.get("content-type")).toBe(served ?? type);
  });
});

test("a method that a path of the registry has not is refused as the registry talks", async () => {
  const answer = await registry.call("PATCH", "bank/ledger/tags/list");
  expect(outcome(answer)).toEqual([405, "UNSUPPORTED"]);
  expect(answer.headers.get("docker-distribution-api-version")).toBe("registry/2.0");
  expect(answer.headers.get("allow")).toContain("GET");
});
