import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeImage, writeLayout } from "../../support/ci/oci-layout.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const missing = await installTool(["skopeo", "--version"], "skopeo");
const rootToken = "a-token-for-tests-0123456789";

describe.skipIf(missing !== undefined)("skopeo, unmodified", () => {
  const image = makeImage(["a small layer", "x".repeat(3_000_000)]);
  const credentials = `root:${rootToken}`;
  let outpost: OutpostProcess;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  const pushed = (path: string) => `docker://${outpost.origin.replace("http://", "")}/root/ledger/${path}`;
  const layout = (name: string) => `oci:${join(folder.path, name)}:latest`;
  const to = (creds: string) => ["--dest-tls-verify=false", "--dest-creds", creds];
  const from = ["--src-tls-verify=false", "--src-creds", credentials];

  beforeAll(async () => {
    folder = await createTempFolder();
    outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
    await writeLayout(join(folder.path, "made"), image, "latest");
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
    const body = JSON.stringify({ path: "ledger" });
    const { status } = await fetch(`${outpost.origin}/api/v4/projects`, { method: "POST", headers, body });
    expect(status).toBe(201);
    await skopeo("copy", ...to(credentials), layout("made"), pushed("app:v1"));
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  test("inspects the image that it pushed", async () => {
    const { stdout } = await skopeo("inspect", "--tls-verify=false", "--creds", credentials, pushed("app:v1"));
    expect(JSON.parse(stdout)).toMatchObject({
      Digest: image.manifest.digest,
      RepoTags: ["v1"],
      Layers: image.layers.map(({ digest }) => digest),
    });
  });

  test("copies it back byte for byte", async () => {
    await skopeo("copy", ...from, pushed("app:v1"), layout("back"));
    expect(await blobsIn(join(folder.path, "back"))).toEqual(await blobsIn(join(folder.path, "made")));
  });

  test("copies it to another repository, lists its tags, and deletes it", async () => {
    await skopeo("copy", ...from, ...to(credentials), pushed("app:v1"), pushed("mirror/app:v2"));
    const access = ["--tls-verify=false", "--creds", credentials];
    const tags = async () => JSON.parse((await skopeo("list-tags", ...access, pushed("mirror/app"))).stdout).Tags;
    expect(await tags()).toEqual(["v2"]);
    await skopeo("delete", ...access, pushed("mirror/app:v2"));
    expect(await tags()).toEqual([]);
  });

  test("reports a wrong password", async () => {
    const push = skopeo("copy", ...to("root:opx-00000000000000000000"), layout("made"), pushed("app:v2"));
    await expect(push).rejects.toThrow(/unauthorized|invalid username\/password/i);
  });
});

async function blobsIn(layout: string): Promise<Record<string, string>> {
  const folder = join(layout, "blobs/sha256");
  const names = (await readdir(folder)).sort();
  const hashes = names.map(async (name) => [name, Bun.SHA256.hash(await readFile(join(folder, name)), "hex")]);
  return Object.fromEntries(await Promise.all(hashes));
}

/** Throws what it says when it fails. */
async function skopeo(...args: readonly string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" };
  const child = Bun.spawn(["skopeo", "--insecure-policy", ...args], { env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`skopeo ${args[0]} failed: ${stderr}`);
  return { stdout };
}
