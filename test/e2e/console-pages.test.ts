import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "../support/browser.ts";
import { holds, openConsole, sees, signInByToken } from "../support/console-browser.ts";
import type { Json } from "../support/json.ts";
import { type OutpostProcess, startOutpost } from "../support/outpost-process.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../artifacts");
const token = "token-for-the-console-of-tests";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" };

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

/** Address and heading of each page. */
const pages = [
  ["/", "Overview"],
  ["/people", "People"],
  ["/people/1", "Administrator"],
  ["/sessions", "Sessions"],
  ["/welcome", "Choose a password"],
  ["/storage-moves", "Storage moves"],
  ["/storage-moves?kind=snippet", "Storage moves"],
  ["/flags", "Feature flags"],
  ["/audit", "Audit events"],
  ["/mails", "Mails"],
  ["/jobs", "Background jobs"],
  ["/requests", "Requests"],
  ["/requests?status=4xx&open=1", "Requests"],
  ["/data", "Data"],
  ["/data/users?open=1", "users"],
  ["/backups", "Backups"],
  ["/unknown-calls", "Unknown calls"],
  ["/settings/start", "Settings of the start"],
  ["/settings", "Application settings"],
  ["/permissions", "Permissions"],
  ["/sandbox", "Sandbox"],
  ["/projects", "Groups and projects"],
  ["/issues", "Issues"],
  ["/pipelines", "Pipelines"],
  ["/runners", "Runners"],
  ["/alerts", "Alerts and errors"],
  ["/nothing", "Not found"],
] as const;

/** Pages of the ingest service and its group, which the demo has; `PIPELINE` and `JOB` stand for its newest ones. */
const pagesOfDemo = [
  ["/projects?search=ingest", "Groups and projects"],
  ["/groups/45", "Cloud"],
  ["/groups/45/labels", "Labels"],
  ["/groups/45/milestones", "Milestones"],
  ["/groups/45/epics", "Epics"],
  ["/groups/45/members", "Members"],
  ["/projects/9", "Ingest"],
  ["/projects/9/files", "Files"],
  ["/projects/9/files?file=README.md", "README.md"],
  ["/projects/9/branches", "Branches"],
  ["/projects/9/labels", "Labels"],
  ["/projects/9/milestones", "Milestones"],
  ["/projects/9/runners", "Runners"],
  ["/projects/9/commits", "Commits"],
  ["/projects/9/members", "Members"],
  ["/projects/9/issues", "Issues"],
  ["/projects/9/issues/1", ""],
  ["/projects/9/pipelines", "Pipelines"],
  ["/projects/9/pipelines/PIPELINE", "Pipeline"],
  ["/projects/9/jobs/JOB", ""],
  ["/projects/9/alerts", "Alerts"],
  ["/projects/9/errors", "Errors"],
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

/** Opens each page once, and looks at it in each view. */
async function expectFaultlessPages(
  store: string,
  declared: readonly (readonly [path: string, heading: string])[],
  looks: readonly (typeof views)[number][],
): Promise<void> {
  await using browser = await openConsole(servers[store] as OutpostProcess);
  const { page } = browser;
  const look = async (path: string, { width, scheme }: (typeof views)[number]) => {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await browser.expectFaultless();
    const name = `console${path.replaceAll(/[^a-z0-9]/g, "-")}-${store}-${width}-${scheme}.png`;
    await page.screenshot({ path: join(artifacts, name) });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect({ path, width, overflow }).toEqual({ path, width, overflow: 0 });
  };
  await browser.open("/", "Outpost");
  for (const each of looks) await look("-sign-in", each);
  await signInByToken(page, token);
  await sees(page, "h1", "Overview");
  for (const [path, heading] of declared) {
    await browser.open(path, heading);
    await holds(page, "!document.body.innerText.includes('Loading…') && !document.querySelector('[aria-busy=true]')");
    for (const each of looks) await look(path, each);
  }
}

chromium("each page of the demo is without fault, wide and narrow, light and dark", async () => {
  const demo = servers.demo as OutpostProcess;
  const ids: Readonly<Record<string, string>> = {
    PIPELINE: await newest(demo, "pipelines"),
    JOB: await newest(demo, "jobs"),
  };
  const named = pagesOfDemo.map(
    ([path, heading]) => [path.replace(/[A-Z]+$/, (name) => ids[name] ?? name), heading] as const,
  );
  await expectFaultlessPages("demo", [...pages, ...named], views);
});

chromium("each page of an empty store is without fault", async () => {
  await expectFaultlessPages("empty", pages, [{ width: 390, scheme: "light" }]);
});
