import { expect, test } from "bun:test";
import { operations } from "../../../../support/checks/operations.ts";
import { lists } from "../../../matrix/lists.ts";
import { allSamples, nameOf, sampleOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
const { world, boss, places } = scene;
const samples = allSamples(scene);

/** Their answers tell of the moment. */
const passing: readonly string[] = [
  ...["GET /-/metrics", "GET /-/readiness", "GET /-/health", "GET /-/figures", "GET /-/attention"],
  ...["GET /-/requests", "GET /-/requests/:id", "GET /-/data", "GET /-/storages"],
];

/** Called by a job with its token alone; without a body; written while the client reads; sent as they come; redirects. */
const untagged: readonly string[] = [
  "GET /job",
  "GET /v2/*name/blobs/uploads/:uuid",
  "GET /-/audit-events/export",
  "GET /-/console/events",
  "GET /-/backups/:name",
  "GET /projects/:id/repository/archive",
  "GET /projects/:id/repository/archive.:format",
  "GET /projects/:id/releases/permalink/latest",
  "GET /projects/:id/releases/permalink/latest/*suffix_path",
  "GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path",
];

for (const operation of operations) {
  if (operation.method !== "GET" || lists.includes(operation)) continue;
  const name = nameOf(operation);
  if (untagged.includes(name)) continue;
  test(`${name} has a tag, and answers 304 to a client that sends it`, async () => {
    const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
    const send = (method: string, headers: Record<string, string> = {}) =>
      world.call(method, path, { token: boss.token, ...options, headers: { ...options?.headers, ...headers } });
    const { status, headers } = await send("GET");
    expect(status).toBe(200);
    const tag = headers.get("etag");
    expect([tag, headers.get("cache-control")]).toEqual([
      expect.stringMatching(/^(W\/)?".+"$/),
      expect.stringMatching(/^max-age=0, private, must-revalidate$|^public, max-age=\d+$/),
    ]);
    if (passing.includes(name)) return;
    const isHeadEmpty = operation.answer.kind === "ok" && operation.answer.isHeadEmpty === true;
    for (const method of isHeadEmpty ? ["GET"] : ["GET", "HEAD"]) {
      const again = await send(method, { "If-None-Match": `"x", ${tag}` });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    }
  });
}
