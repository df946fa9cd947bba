import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "../../support/browser/browser.ts";
import { pages, pagesOf } from "../../support/browser/console-addresses.ts";
import { holds, openConsole, sees, signInByToken } from "../../support/browser/console-browser.ts";
import { expectReachedByKeyboard } from "../../support/browser/console-keyboard.ts";
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../../artifacts");
const token = "token-for-the-console-of-tests";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" };

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

/** Pages of the ingest service, which the demo has; `PIPELINE` and `JOB` stand for its newest ones. */
const pagesOfDemo = [
  ["/projects?search=ingest", "Groups and projects"],
  ...pagesOf(45, 9),
  ["/projects/9/files?file=README.md", "README.md"],
  ["/projects/9/pipelines/PIPELINE", "Pipeline"],
  ["/projects/9/jobs/JOB", ""],
] as const;

async function newest(server: OutpostProcess, what: string): Promise<string> {
  const path = `/api/v4/projects/9/${what}?per_page=1`;
  const answer = await fetch(`${server.origin}${path}`, { headers: { "PRIVATE-TOKEN": token } });
  const [{ id }] = (await answer.json()) as Json;
  return String(id);
}

const servers: Record<string, OutpostProcess> = {};

beforeAll(async () => {
  if (missing !== undefined) return;
  await mkdir(artifacts, { recursive: true });
  servers.demo = await startOutpost({ command: "demo", args: ["--rng-seed", "1"], env, inMemory: true });
  servers.empty = await startOutpost({ env, inMemory: true });
}, 120_000);

afterAll(async () => {
  for (const server of Object.values(servers)) await server.stop();
});

const views = [1280, 390].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme })));

type Declared = readonly (readonly [path: string, heading: string])[];

/** Opens each page once, goes over it by keyboard, and looks at it in each view. */
async function expectFaultlessPages(store: string, declared: Declared): Promise<void> {
  await using browser = await openConsole(servers[store] as OutpostProcess);
  const { page } = browser;
  const show = async ({ width, scheme }: (typeof views)[number]) => {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  };
  const look = async (path: string, { width, scheme }: (typeof views)[number]) => {
    await show({ width, scheme });
    await browser.expectFaultless();
    if (store === "demo") await keep(path, { width, scheme });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect({ path, width, overflow }).toEqual({ path, width, overflow: 0 });
  };
  const keep = async (path: string, { width, scheme }: (typeof views)[number]) => {
    const name = `console${path.replaceAll(/[^a-z0-9]/g, "-")}-${store}-${width}-${scheme}.png`;
    await page.screenshot({ path: join(artifacts, name) });
  };
  await browser.open("/", "Outpost");
  for (const each of views) await look("-sign-in", each);
  await signInByToken(page, token);
  await sees(page, "h1", "Overview");
  for (const [path, heading] of declared) {
    await browser.open(path, heading);
    await holds(page, "!document.body.innerText.includes('Loading…') && !document.querySelector('[aria-busy=true]')");
    expect({ path, empty: await page.evaluate(silentEmptyTexts) }).toEqual({ path, empty: [] });
    for (const each of views) await look(path, each);
    await show(views[0] as (typeof views)[number]);
    // An address with an opened row shows a dialog, which keeps the focus.
    if (!path.includes("open=")) await expectReachedByKeyboard(page, path === "/" ? "body" : "main");
  }
}

/** Texts of empty lists that do not say by a command, a link or a button what would fill them. */
const silentEmptyTexts = `[...document.querySelectorAll(".empty")]
  .filter((each) => !each.querySelector("code, a, button"))
  .map((each) => each.textContent)`;

chromium(
  "each page of the demo is without fault, wide and narrow, light and dark, and reached by keyboard",
  async () => {
    const demo = servers.demo as OutpostProcess;
    const ids: Readonly<Record<string, string>> = {
      PIPELINE: await newest(demo, "pipelines"),
      JOB: await newest(demo, "jobs"),
    };
    const named = pagesOfDemo.map(
      ([path, heading]) => [path.replace(/[A-Z]+$/, (name) => ids[name] ?? name), heading] as const,
    );
    await expectFaultlessPages("demo", [...pages, ...named]);
  },
  600_000,
);

chromium(
  "each page of an empty store, and of an empty project, is without fault, and says what fills it",
  async () => {
    await expectFaultlessPages("empty", pages);
    const group = await post("/groups", { name: "Cloud", path: "cloud" });
    const project = await post("/projects", { name: "Ingest", namespace_id: group.id });
    await post(`/projects/${project.id}/issues`, { title: "Nothing is here" });
    await send("PUT", `/projects/${project.id}/error_tracking/settings`, { active: true, integrated: true });
    const people = [["/people/2", "Ada"]] as const;
    await post("/users", { username: "ada", name: "Ada", email: "ada@people.example", reset_password: true });
    await expectFaultlessPages("empty", [...pagesOf(group.id, project.id), ...people]);
  },
  600_000,
);

const post = (path: string, json: object) => send("POST", path, json);

async function send(method: string, path: string, json: object): Promise<Json> {
  const answer = await fetch(`${servers.empty?.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify(json),
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}
