import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makePair, placePair } from "../../support/process/certificates.ts";
import { knownCredentials, rootHeaders } from "../../support/process/fault-client.ts";
import { freePort } from "../../support/process/free-port.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { askThrough, clientAddress, type RunningProxy, startCaddy, startNginx } from "../../support/process/proxy.ts";
import { settingsInManual, withValues } from "../../support/process/proxy-settings.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const missing = {
  nginx: await installTool(["nginx", "-v"], "nginx-light"),
  caddy: await installTool(["caddy", "version"], "caddy"),
};
for (const [name, why] of Object.entries(missing)) if (why !== undefined) console.log(`skipped: no ${name}: ${why}`);

const fileName = "docs/what? me@home 100%.md";
const place = { crew: "crew", project: "crew%2Frocket" };
let folder: TempFolder;
let outpost: OutpostProcess;
let [cert, key] = ["", ""];

beforeAll(async () => {
  folder = await createTempFolder();
  outpost = await startOutpost({ env: { ...knownCredentials, OUTPOST_TRUSTED_PROXIES: "127.0.0.1" } });
  [, cert = "", , key = ""] = await placePair(join(folder.path, "tls"), await makePair("proxy"));
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${outpost.origin}/api/v4${path}`, {
      ...{ method: "POST", headers: rootHeaders, body: JSON.stringify(body) },
    });
    expect([path, answer.status]).toEqual([path, 201]);
    return (await answer.json()) as { id: number };
  };
  const { id } = await post("/groups", { name: "Crew", path: place.crew });
  await post("/projects", { name: "Rocket", path: "rocket", namespace_id: id, initialize_with_readme: true });
});
afterAll(async () => {
  await outpost[Symbol.asyncDispose]();
  await folder.remove();
});

const proxies = {
  nginx: async (more: Readonly<Record<string, string>> = {}) => {
    const port = await freePort();
    const block = withValues(settingsInManual("nginx"), {
      "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
      "/etc/ssl/outpost.pem": cert,
      "/etc/ssl/outpost.key": key,
      "http://127.0.0.1:8080": outpost.origin,
      ...more,
    });
    return startNginx(join(folder.path, `nginx${port}`), port, block);
  },
  caddy: async () => {
    const port = await freePort();
    const site = withValues(settingsInManual("caddy"), {
      "outpost.example {": `https://127.0.0.1:${port} {\n\ttls ${cert} ${key}`,
      "127.0.0.1:8080": new URL(outpost.origin).host,
    });
    return startCaddy(join(folder.path, `caddy${port}`), port, site);
  },
};

const file = `/api/v4/projects/${place.project}/repository/files/${encodeURIComponent(fileName)}`;

/** Writes and reads a file whose path has every character that proxies like to decode. Returns both answers. */
async function writeAndReadFile({ port }: RunningProxy, branch: string) {
  const body = JSON.stringify({ branch, start_branch: "main", content: "hello", commit_message: "Write" });
  const headers = rootHeaders;
  const written = await askThrough(port, { method: "POST", path: file, headers, body });
  const read = await askThrough(port, { path: `${file}?ref=${branch}`, headers });
  return { written: written.status, read: read.status, text: read.text };
}

describe.each(["nginx", "caddy"] as const)("behind %s with the settings of the manual", (name) => {
  test.skipIf(missing[name] !== undefined)(
    "encoded paths, uploads, links and addresses are the same as without it",
    async () => {
      await using proxy = await proxies[name]();
      const { port } = proxy;
      const origin = `https://127.0.0.1:${port}`;

      const { written, read, text } = await writeAndReadFile(proxy, name);
      expect([written, read]).toEqual([201, 200]);
      expect(JSON.parse(text).file_path).toBe(fileName);
      const project = await askThrough(port, { path: `/api/v4/projects/${place.project}`, headers: rootHeaders });
      expect(project.status).toBe(200);
      expect(JSON.parse(project.text)._links.self).toStartWith(`${origin}/api/v4/projects/`);
      const list = await askThrough(port, { path: "/api/v4/users?per_page=1", headers: rootHeaders });
      expect(list.headers.link).toContain(`<${origin}/api/v4/users?`);

      const bytes = Buffer.alloc(12 << 20, "outpost ");
      const path = `/api/v4/projects/${place.project}/packages/generic/${name}/1.0.0/large.bin`;
      const { "PRIVATE-TOKEN": token } = rootHeaders;
      const put = await askThrough(port, { method: "PUT", path, headers: { "PRIVATE-TOKEN": token }, body: bytes });
      expect(put.status).toBe(201);
      const got = await askThrough(port, { path, headers: { "PRIVATE-TOKEN": token } });
      expect([got.status, got.text === bytes.toString()]).toEqual([200, true]);

      const spoofed = {
        ...{
          "X-Forwarded-For": "203.0.113.9",
          "X-Real-IP": "203.0.113.9",
          Forwarded: "for=203.0.113.9;host=evil.example",
        },
        ...{ "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http" },
      };
      const made = await askThrough(port, {
        ...{ method: "POST", path: "/api/v4/users/1/personal_access_tokens" },
        headers: { ...rootHeaders, ...spoofed },
        body: JSON.stringify({ name, scopes: ["api"] }),
      });
      expect(made.status).toBe(201);
      const events = await askThrough(port, {
        path: "/api/v4/audit_events?per_page=1",
        headers: { ...rootHeaders, ...spoofed },
      });
      expect(JSON.parse(events.text)[0].details.ip_address).toBe(clientAddress);
      expect(events.headers.link).not.toContain("evil.example");
      expect((await askThrough(port, { path: "/-/metrics" })).status).toBe(401);

      const long = await askThrough(port, { path: `/api/v4/users?search=${"x".repeat(9_000)}`, headers: rootHeaders });
      expect([long.status, JSON.parse(long.text)]).toEqual([414, { message: "414 Request-URI Too Large" }]);
    },
    180_000,
  );
});

test.skipIf(missing.nginx !== undefined)(
  "behind one that decodes, as nginx with a slash behind the port, encoded paths are 404",
  async () => {
    await using proxy = await proxies.nginx({ [`${outpost.origin};`]: `${outpost.origin}/;` });
    expect(await writeAndReadFile(proxy, "decoded")).toMatchObject({ written: 404, read: 404 });
    const project = await askThrough(proxy.port, { path: `/api/v4/projects/${place.project}`, headers: rootHeaders });
    expect(project.status).toBe(404);
    expect((await askThrough(proxy.port, { path: "/api/v4/user", headers: rootHeaders })).status).toBe(200);
  },
  180_000,
);
