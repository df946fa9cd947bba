import { describe, expect, test } from "bun:test";
import { collectAnswers } from "../../../src/cli/build/examples/api-examples.ts";
import { rootToken as demoToken, withDemoServer } from "../../../src/cli/build/examples/demo-server.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const html = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

async function open(origin: string, path: string, headers: Readonly<Record<string, string>> = html) {
  const response = await fetch(`${origin}${path}`, { redirect: "manual", headers });
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

const as = (token: string) => ({ ...html, "PRIVATE-TOKEN": token });

/** Patterns of the pages that the console lists. */
const source = await Bun.file(`${import.meta.dir}/../../../src/console/app/pages/index.ts`).text();
const consolePages = [...source.matchAll(/page\(\s*"([^"]+)"/g)].map(
  ([, path = ""]) => new RegExp(`^/-/console${path.replaceAll(/:\w+/g, "[^/?]+")}(\\?|$)`),
);

describe("the addresses that the API and mails name", () => {
  const host = "https://outpost.example";
  /** Addresses that programs send to or read from, and that are no pages. */
  const ofPrograms = /^\/(api|v2|uploads|oauth|-\/(avatars|console))\/|\/alerts\/notify/;

  function collect(value: unknown, into: Set<string>): void {
    if (typeof value === "string") {
      for (const [url] of value.matchAll(/https:\/\/outpost\.example[^\s"'<>)]*/g)) into.add(url.slice(host.length));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        if ((name === "web_path" || name === "details_path") && typeof each === "string") into.add(each);
        else collect(each, into);
      }
    }
  }

  test("each lead to a page of the console or to a file, and visitors to the sign-in", async () => {
    await withDemoServer(async (origin) => {
      const answers = await collectAnswers(origin);
      await fetch(`${origin}/api/v4/users`, {
        method: "POST",
        headers: { ...as(demoToken), "Content-Type": "application/json" },
        body: JSON.stringify({ email: "new@outpost.test", name: "New", username: "new", reset_password: true }),
      });
      const mails = await fetch(`${origin}/-/mails?per_page=100`, { headers: as(demoToken) });
      const named = new Set<string>();
      collect([answers, await mails.json()], named);
      const paths = [...named].filter((path) => !ofPrograms.test(path));
      expect(paths.some((path) => path.startsWith("/users/password/edit"))).toBe(true);
      expect(paths.length).toBeGreaterThan(100);
      const wrong: string[] = [];
      for (const path of paths) {
        const { status, location } = await open(origin, path, as(demoToken));
        const isPage = consolePages.some((page) => page.test(location ?? ""));
        const found = location?.startsWith("/api/v4/") ? (await open(origin, location, as(demoToken))).status : 0;
        const isFile = found === 200 || found === 302;
        if (status !== 302 || !(isPage || isFile)) wrong.push(`${path}: ${status} ${location}`);
        const visitor = await open(origin, path);
        if (visitor.status !== 302) wrong.push(`${path}, for a visitor: ${visitor.status}`);
      }
      expect(wrong).toEqual([]);
    });
  }, 120_000);
});

const world = await startWorld();
const { body: project } = await world.call("POST", "/projects", {
  token: rootToken,
  json: { name: "Loom", initialize_with_readme: true, visibility: "private" },
});
const id: number = project.id;
const post = async (path: string, json: object) => (await world.call("POST", path, { token: rootToken, json })).body;
await post(`/projects/${id}/repository/branches`, { branch: "next/wave", ref: "main" });
await post(`/projects/${id}/repository/files/docs%2Fnotes.md`, {
  ...{ branch: "next/wave", commit_message: "Add notes", content: "# Notes\n" },
});
await post(`/projects/${id}/issues`, { title: "Wheels squeak" });
const milestone = await post(`/projects/${id}/milestones`, { title: "Spring" });
await post(`/projects/${id}/releases`, {
  ...{ tag_name: "rel/1", ref: "main" },
  assets: { links: [{ name: "health", url: "https://files.example.com/a", direct_asset_path: "/bin/a" }] },
});
const member = await world.user();

describe("a user who sees the project", () => {
  const cases: readonly (readonly [path: string, location: string])[] = [
    ["/root", "/-/console/people/1"],
    ["/root/loom", `/-/console/projects/${id}`],
    ["/root/loom/", `/-/console/projects/${id}`],
    ["/root/loom.git", `/-/console/projects/${id}`],
    ["/root/loom/-/issues", `/-/console/projects/${id}/issues`],
    ["/root/loom/-/issues/1", `/-/console/projects/${id}/issues/1`],
    ["/root/loom/-/work_items/1", `/-/console/projects/${id}/issues/1`],
    [
      "/root/loom/-/milestones/1",
      `/-/console/answer?call=${encodeURIComponent(`/projects/${id}/milestones/${milestone.id}`)}`,
    ],
    ["/root/loom/-/tree/main", `/-/console/projects/${id}/files?ref=main`],
    ["/root/loom/-/tree/next/wave/docs", `/-/console/projects/${id}/files?ref=next%2Fwave&path=docs`],
    [
      "/root/loom/-/blob/next/wave/docs/notes.md",
      `/-/console/projects/${id}/files?ref=next%2Fwave&path=docs&file=docs%2Fnotes.md`,
    ],
    ["/root/loom/-/raw/main/README.md", `/api/v4/projects/${id}/repository/files/README.md/raw?ref=main`],
    ["/root/loom/-/commits/next/wave", `/-/console/projects/${id}/commits?ref=next%2Fwave`],
    ["/root/loom/-/releases/rel%2F1/downloads/bin/a", `/api/v4/projects/${id}/releases/rel%2F1/downloads/bin%2Fa`],
    [
      "/root/loom/-/releases/permalink/latest/downloads/bin/a",
      `/api/v4/projects/${id}/releases/permalink/latest/downloads%2Fbin%2Fa`,
    ],
    ["/root/loom/-/archive/rel/1/loom-rel-1.tar.gz", `/api/v4/projects/${id}/repository/archive.tar.gz?sha=rel%2F1`],
    [
      "/root/loom/-/releases/rel%2F1",
      `/-/console/answer?call=${encodeURIComponent(`/projects/${id}/releases/rel%2F1`)}`,
    ],
    ["/root/loom/-/project_members", `/-/console/projects/${id}/members`],
  ];

  test.each(cases)("is led from %s to its page", async (path, location) => {
    expect(await open(world.origin, path, as(rootToken))).toMatchObject({ status: 302, location });
  });

  test("gets 404 for what the project does not have", async () => {
    for (const rest of [
      "issues/2",
      "releases/v2",
      "releases/rel%2F1/downloads/bin/b",
      "releases/rel%2F1/evidences/x.json",
      "archive/v2/loom-v2.zip",
      "issues/x",
      "milestones/2",
      "tree/none",
      "blob/main/NONE.md",
      "nothing",
      "commit/none",
    ]) {
      const path = `/root/loom/-/${rest}`;
      expect({ path, ...(await open(world.origin, path, as(rootToken))) }).toMatchObject({ path, status: 404 });
    }
  });
});

const hidden = [
  "/root/loom",
  "/root/loom/-/issues/1",
  "/root/loom/-/blob/main/README.md",
  "/root/loom/-/raw/main/README.md",
];
const absent = [
  "/root/none",
  "/root/loom/-/issues/9",
  "/root/none/-/blob/main/README.md",
  "/root/none/-/raw/main/README.md",
];

test("a user who does not see the project gets the same 404 as for what is not there", async () => {
  const answers = await Promise.all([...hidden, ...absent].map((path) => open(world.origin, path, as(member.token))));
  for (const answer of answers) expect(answer).toEqual({ ...(answers[0] as object), status: 404 } as typeof answer);
});

test("visitors are led to the sign-in and back, whether something is there or not", async () => {
  for (const path of [...hidden, ...absent, "/nobody", "/groups/none/-/epics/4"]) {
    const { status, location } = await open(world.origin, `${path}?sort=asc`);
    expect([status, location]).toEqual([302, `/-/console/go?${new URLSearchParams({ to: `${path}?sort=asc` })}`]);
  }
});

test("addresses of mails keep their query", async () => {
  const { location } = await open(world.origin, "/users/password/edit?reset_password_token=abc");
  expect(location).toBe("/-/console/new-password?reset_password_token=abc");
});

test("programs get a file that an address names, and JSON for any other", async () => {
  const program = { "PRIVATE-TOKEN": rootToken, Accept: "*/*" };
  const snippet = await post("/snippets", {
    title: "Colours",
    visibility: "public",
    file_name: "a.css",
    content: "b {}",
  });
  const path = new URL(snippet.raw_url).pathname;
  for (const headers of [program, {}, html]) {
    expect((await open(world.origin, path, headers)).location).toBe(`/api/v4/snippets/${snippet.id}/raw`);
  }
  const raw = "/root/loom/-/raw/main/README.md";
  expect((await open(world.origin, raw, program)).status).toBe(302);
  for (const [at, headers] of [
    [raw, {}],
    ["/root/loom", program],
  ] as const) {
    expect(await open(world.origin, at, headers)).toMatchObject({ status: 404, text: '{"error":"404 Not Found"}' });
  }
});

test("odd paths are 404", async () => {
  for (const path of ["/root/loom/-/commit/%2e%2e", "/root/x%2fy/-/issues", `/${"a/".repeat(80)}b`, "/-/nothing"]) {
    expect({ path, ...(await open(world.origin, path, as(rootToken))) }).toMatchObject({ path, status: 404 });
  }
});
