import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const [world, below, closed] = [
  await startWorld(),
  await startWorld({ externalUrl: "https://host.example/outpost" }),
  await startWorld({ console: false }),
];
const notFound = { error: "404 Not Found" };
const browser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

async function get(origin: string, path: string, headers: Readonly<Record<string, string>> = browser, method = "GET") {
  const response = await fetch(`${origin}${path}`, { method, headers, redirect: "manual", decompress: false });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("a browser", () => {
  test("is redirected from / to the console", async () => {
    const [plain, based] = [await get(world.origin, "/"), await get(below.origin, "/")];
    expect([plain.status, plain.headers.get("location")]).toEqual([302, "/-/console/"]);
    expect([based.status, based.headers.get("location")]).toEqual([302, "/outpost/-/console/"]);
    expect((await get(world.origin, "/", browser, "HEAD")).status).toBe(302);
  });

  test("gets a page with links for an unknown path", async () => {
    const signedIn = { ...browser, "PRIVATE-TOKEN": rootToken };
    for (const [path, sent] of [
      ["/-/nothing", browser],
      ["/nothing", signedIn],
      ["/some/group/project", signedIn],
    ] as const) {
      const { status, headers, text } = await get(below.origin, path, sent);
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(headers.get("vary")).toBe("Origin, Accept, Cookie");
      expect(text).toContain('href="/outpost/-/console/"');
      expect(text).toContain('href="/outpost/-/api"');
    }
  });

  test("gets one document at every address of the console", async () => {
    const [first, second] = [await get(world.origin, "/-/console/"), await get(world.origin, "/-/console/people/7")];
    expect(first.text).toBe(second.text);
    const policy = first.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith(
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'",
    );
    expect(first.text).not.toMatch(/<style|style=|<script[^>]*>[^<]|\son\w+=/);
  });
});

describe("an API client", () => {
  test("gets JSON at unknown paths", async () => {
    for (const [method, path, headers] of [
      ["GET", "/", {}],
      ["GET", "/", { Accept: "*/*" }],
      ["POST", "/", browser],
      ["GET", "/nothing", { Accept: "application/json" }],
      ["POST", "/nothing", browser],
      ["GET", "/api/v4/nothing", browser],
    ] as const) {
      const { status, text } = await get(world.origin, path, headers, method);
      expect({ path, status, body: JSON.parse(text) }).toEqual({ path, status: 404, body: notFound });
    }
  });

  test("gets JSON from the API and from /-/health, whatever it accepts", async () => {
    for (const path of ["/-/health", "/api/v4/projects"]) {
      expect((await get(world.origin, path)).headers.get("content-type")).toBe("application/json");
    }
  });
});

test("assets have the requested encoding, and clients may cache them for ever", async () => {
  const { text } = await get(world.origin, "/-/console");
  const paths = [...text.matchAll(/\/-\/console\/assets\/[\w.-]+/g)].map(([path]) => path);
  expect(paths.map((path) => path.replace(/^.*\./, "")).sort()).toEqual(["css", "js", "svg"]);
  for (const path of paths) {
    const codings: (string | null)[] = [];
    for (const accepted of ["br, gzip", "gzip", "br;q=0, gzip;q=0", "identity"]) {
      const { status, headers } = await get(world.origin, path, { "Accept-Encoding": accepted });
      expect([status, headers.get("cache-control"), headers.get("vary")]).toEqual([
        200,
        "public, max-age=31536000",
        "Origin, Accept-Encoding",
      ]);
      codings.push(headers.get("content-encoding"));
    }
    expect(codings).toEqual(["br", "gzip", null, null]);
    const [coded, plain] = await Promise.all([
      fetch(`${world.origin}${path}`).then((response) => response.text()),
      get(world.origin, path, { "Accept-Encoding": "identity" }),
    ]);
    expect(coded).toBe(plain.text);
  }
  expect((await get(world.origin, "/-/console/assets/none.js", {})).status).toBe(404);
});

test("a server without a console has none of its addresses", async () => {
  for (const path of ["/", "/-/console", "/-/console/", "/-/console/people", "/-/console/assets/main.js", "/nothing"]) {
    const { status, text } = await get(closed.origin, path);
    expect({ path, status, body: JSON.parse(text) }).toEqual({ path, status: 404, body: notFound });
  }
});
