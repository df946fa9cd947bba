import { expect, test } from "bun:test";
import { startWorld } from "../../../support/fixtures/world.ts";

for (const [edition, suffix] of [
  ["community", ""],
  ["premium", "-ee"],
  ["ultimate", "-ee"],
] as const) {
  const world = await startWorld({ edition });
  const plain = await world.user();

  test(`the ${edition} edition shows its version to users`, async () => {
    const { status, body } = await world.call("GET", "/version", { token: plain.token });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["version", "revision"]);
    expect(body.version).toMatch(new RegExp(`^\\d+\\.\\d+\\.\\d+${suffix}$`));
    expect(body.revision).toMatch(/^[\da-f]+$/);
  });

  test(`the metadata of the ${edition} edition say what it is`, async () => {
    const { body: version } = await world.get("/version");
    const { status, body } = await world.get("/metadata");
    expect(status).toBe(200);
    expect(body).toEqual({
      ...version,
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: edition !== "community",
    });
  });

  test(`the ${edition} edition shows nothing to anonymous callers`, async () => {
    for (const path of ["/version", "/metadata"]) expect((await world.call("GET", path)).status).toBe(401);
  });
}
