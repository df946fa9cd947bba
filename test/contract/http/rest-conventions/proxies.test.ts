import { describe, expect, test } from "bun:test";
import { type AddressInfo, connect, createServer } from "node:net";
import { parseTrustedProxies } from "../../../../src/domain/trusted-proxies.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";

const alone = await startWorld();
const behind = await startWorld({ trustedProxies: parseTrustedProxies("127.0.0.1,10.0.0.0/8,fd00::/8") });
const elsewhere = await startWorld({ trustedProxies: parseTrustedProxies("10.0.0.0/8,unix") });

const closed = await startWorld({ metricsAccess: "administrators" });

type Headers = Readonly<Record<string, string>>;

/** The address that an act of a request with these headers is put down to. */
async function addressSeen(world: World, headers: Headers): Promise<string | null | undefined> {
  const before = world.events().length;
  const json = { name: "seen", scopes: ["api"] };
  const { status } = await world.call("POST", "/users/1/personal_access_tokens", { token: rootToken, json, headers });
  expect(status).toBe(201);
  return world.events(before)[0]?.details.ip_address;
}

/** Scheme and host of the links in the answer to a request with these headers. */
async function baseSeen(world: World, headers: Headers): Promise<string | undefined> {
  const { headers: answered } = await world.get("/users?per_page=1", { headers });
  return /<(https?:\/\/[^/]+)\//.exec(answered.get("link") ?? "")?.[1];
}

const everyHeader = {
  "X-Forwarded-For": "203.0.113.9",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "evil.example",
  Forwarded: "for=203.0.113.9;proto=https;host=evil.example",
  "X-Real-IP": "203.0.113.9",
};

describe.each([
  ["nobody is trusted", alone],
  ["the peer is not among those who are trusted", elsewhere],
])("where %s", (_, world) => {
  test("no header changes the address or the URLs", async () => {
    expect(await addressSeen(world, everyHeader)).toBe("127.0.0.1");
    expect(await baseSeen(world, everyHeader)).toBe(world.origin);
    for (const [name, value] of Object.entries(everyHeader)) {
      expect(await addressSeen(world, { [name]: value })).toBe("127.0.0.1");
      expect(await baseSeen(world, { [name]: value })).toBe(world.origin);
    }
  });

  test("made-up addresses do not evade the limits of strangers", async () => {
    const limit = {
      throttle_unauthenticated_api_enabled: true,
      throttle_unauthenticated_api_requests_per_period: 2,
      throttle_unauthenticated_api_period_in_seconds: 3600,
    };
    await world.call("PUT", "/application/settings", { token: rootToken, json: limit });
    const statuses: number[] = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      const headers = { "X-Forwarded-For": `203.0.113.${turn}` };
      statuses.push((await world.call("GET", "/users?username=root", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

describe("a request through a trusted proxy", () => {
  test.each([
    ["its client", { "X-Forwarded-For": "203.0.113.9" }, "203.0.113.9"],
    [
      "the nearest who is not trusted, not what that one made up",
      { "X-Forwarded-For": "198.51.100.1, 203.0.113.9" },
      "203.0.113.9",
    ],
    [
      "the one before trusted proxies",
      { "X-Forwarded-For": "198.51.100.1, 203.0.113.9, 10.1.1.1,fd00::5" },
      "203.0.113.9",
    ],
    ["the first of all, when all are trusted", { "X-Forwarded-For": "10.3.3.3, 10.1.1.1" }, "10.3.3.3"],
    ["nobody behind a name that is no address", { "X-Forwarded-For": "198.51.100.1, unknown, 10.1.1.1" }, "10.1.1.1"],
    ["an address with a port", { "X-Forwarded-For": "203.0.113.9:4711" }, "203.0.113.9"],
    ["one of version 6 in brackets", { "X-Forwarded-For": "[2001:DB8::9]:4711" }, "2001:db8::9"],
    ["one of version 4 in the clothes of 6", { "X-Forwarded-For": "::ffff:203.0.113.9" }, "203.0.113.9"],
    ["nonsense: the proxy itself", { "X-Forwarded-For": "<script>" }, "127.0.0.1"],
    ["an empty list: the proxy itself", { "X-Forwarded-For": " , " }, "127.0.0.1"],
    ["X-Real-IP alone", { "X-Real-IP": "203.0.113.9" }, "203.0.113.9"],
    [
      "X-Forwarded-For before X-Real-IP",
      { "X-Forwarded-For": "203.0.113.9", "X-Real-IP": "198.51.100.1" },
      "203.0.113.9",
    ],
    ["Forwarded", { Forwarded: 'for=198.51.100.1, for="[2001:db8::9]:80";proto=https, for=10.1.1.1' }, "2001:db8::9"],
    ["Forwarded that hides", { Forwarded: "for=_hidden;proto=https" }, "127.0.0.1"],
    [
      "X-Forwarded-For before Forwarded",
      { "X-Forwarded-For": "203.0.113.9", Forwarded: "for=198.51.100.1" },
      "203.0.113.9",
    ],
    [
      "no Forwarded where the proxy sets others",
      { "X-Forwarded-Proto": "https", Forwarded: "for=198.51.100.1" },
      "127.0.0.1",
    ],
    ["nothing: the proxy itself", {}, "127.0.0.1"],
  ] as const)("comes from the address of %s", async (_, headers, address) => {
    expect(await addressSeen(behind, headers)).toBe(address);
  });

  test.each([
    [{ "X-Forwarded-Proto": "https", "X-Forwarded-Host": "git.example" }, "https://git.example"],
    [{ "X-Forwarded-Proto": "https", "X-Forwarded-Host": "git.example:8443" }, "https://git.example:8443"],
    [{ "X-Forwarded-Host": "made.up, [2001:db8::1]:80" }, "http://[2001:db8::1]:80"],
    [
      { Forwarded: 'for=203.0.113.9;proto=https;host="git.example:8443", for=10.1.1.1;proto=http;host=inner' },
      "https://git.example:8443",
    ],
    [{ "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "a/b" }, undefined],
    [{ "X-Forwarded-Host": "a@b" }, undefined],
  ] as const)("with %p gets links of %p", async (headers, base) => {
    expect(await baseSeen(behind, headers)).toBe(base ?? behind.origin);
  });

  test("with a scheme alone keeps the host of the request", async () => {
    expect(await baseSeen(behind, { "X-Forwarded-Proto": "https" })).toBe(behind.origin.replace("http:", "https:"));
  });

  test("counts for the limits of its own client", async () => {
    const limit = {
      throttle_unauthenticated_api_enabled: true,
      throttle_unauthenticated_api_requests_per_period: 1,
      throttle_unauthenticated_api_period_in_seconds: 3600,
    };
    await behind.call("PUT", "/application/settings", { token: rootToken, json: limit });
    const ask = async (address: string) => {
      const headers = { "X-Forwarded-For": address };
      return (await behind.call("GET", "/users?username=root", { headers })).status;
    };
    expect([await ask("203.0.113.1"), await ask("203.0.113.2"), await ask("203.0.113.1")]).toEqual([200, 200, 429]);
  });

  test("has its address in the token's last use", async () => {
    const ann = await behind.user();
    await behind.call("GET", "/user", { token: ann.token, headers: { "X-Forwarded-For": "203.0.113.77" } });
    const { body } = await behind.call("GET", "/personal_access_tokens/self", {
      token: ann.token,
      headers: { "X-Forwarded-For": "203.0.113.77" },
    });
    expect(body.last_used_ips).toContain("203.0.113.77");
  });
});

describe("metrics for this machine", () => {
  test.each([
    ["are given to a process on it", alone, {}, 200],
    ["are not handed on by a proxy on it that nobody declared", alone, { "X-Forwarded-For": "203.0.113.9" }, 401],
    ["nor by one that leaves only its client's address", alone, { "X-Real-IP": "203.0.113.9" }, 401],
    ["are not given to the clients of a trusted proxy", behind, { "X-Forwarded-For": "203.0.113.9" }, 401],
    ["nor to those who claim to be this machine", behind, { "X-Forwarded-For": "127.0.0.1, 203.0.113.9" }, 401],
    ["nor by a proxy that says no more than that it is one", alone, { Via: "1.1 edge" }, 401],
    ["nor by one that only hands the name on that it was asked for", alone, { Host: "outpost.example" }, 401],
    ["are given to who asks for localhost", alone, { Host: "localhost:8080" }, 200],
    ["are given to who asks for its address of version 6", alone, { Host: "[::1]" }, 200],
    ["are no matter of a name that only begins so", alone, { Host: "127.0.0.1.evil.example" }, 401],
    ["are not shown to a page of another origin", alone, { Origin: "https://evil.example" }, 401],
    ["are for administrators alone where that is set", closed, {}, 401],
  ] as const)("%s", async (_, world, headers, status) => {
    expect((await world.call("GET", "/-/metrics", { headers })).status).toBe(status);
    expect((await world.get("/-/metrics", { headers })).status).toBe(200);
  });

  test.each([
    ["goes to its clients", alone, 200],
    ["does not where only administrators have them", closed, 401],
  ] as const)(
    "through a forwarder that adds no header, as programs of this machine may, %s",
    async (_, world, status) => {
      const { port } = new URL(world.origin);
      const relay = createServer((client) => client.pipe(connect(Number(port), "127.0.0.1")).pipe(client));
      await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
      try {
        const address = relay.address() as AddressInfo;
        const answer = await fetch(`http://127.0.0.1:${address.port}/-/metrics`, { keepalive: false });
        expect(answer.status).toBe(status);
      } finally {
        relay.close();
      }
    },
  );
});

test("with an external path, requests come with that path or without it, and addresses in answers have it", async () => {
  const externalUrl = "https://company.example/tools/outpost";
  const world = await startWorld({ externalUrl });
  const { group, project } = placesOf(world);
  const { id } = project(group({ path: "outpost" }).id, { path: "rocket" });
  for (const prefix of ["", "/tools/outpost", "//tools//outpost/"]) {
    const ask = (path: string) => fetch(`${world.origin}${prefix}${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
    const found = await ask("/api/v4/projects/outpost%2Frocket");
    expect([found.status, ((await found.json()) as { id: number }).id]).toEqual([200, id]);
    const list = await ask("/api/v4/users?per_page=1");
    expect(list.headers.get("link")).toStartWith(`<${externalUrl}/api/v4/users?`);
    expect((await ask("/-/liveness")).status).toBe(200);
  }
  for (const path of ["/tools/outposts/api/v4/version", "/tools/api/v4/version", "/tools/outpost"]) {
    expect([path, (await world.call("GET", path, { token: rootToken })).status]).toEqual([path, 404]);
  }
});

test("an external address takes precedence over headers of proxies", async () => {
  const trustedProxies = parseTrustedProxies("127.0.0.1");
  const world = await startWorld({ trustedProxies, externalUrl: "https://outpost.example" });
  expect(await baseSeen(world, { "X-Forwarded-Host": "other.example" })).toBe("https://outpost.example");
});
