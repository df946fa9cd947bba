import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { enqueueJob } from "../../../src/modules/core/background-jobs/index.ts";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  holds,
  openConsole,
  pressButton,
  sees,
  signInByToken,
} from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;
let project: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    args: ["--demo-runner", "--sandbox"],
    env: { OUTPOST_ROOT_TOKEN: rootToken },
    inMemory: true,
  });
  project = await api("POST", "/projects", { name: "loom", initialize_with_readme: true });
}, 120_000);

afterAll(() => outpost?.stop());

async function api(method: string, path: string, json?: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}${path.startsWith("/-/") ? "" : "/api/v4"}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signedIn(
  path: string,
  heading: string,
  server: Pick<OutpostProcess, "origin"> = outpost,
): Promise<ConsoleBrowser> {
  const browser = await openConsole(server);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, rootToken);
  await sees(browser.page, "h1", heading);
  return browser;
}

chromium("a CI file is run by the demo runner, and the page shows the log as it grows", async () => {
  const setClock = (json: object) => api("PUT", "/-/sandbox/clock", json);
  await setClock({ frozen: true });
  await api("POST", `/projects/${project.id}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: "main", commit_message: "Add CI" },
    content: "weave: { script: [make yarn, make cloth, make shirts] }\n",
  });
  await setClock({ advance: 1_000 });
  const [job]: Json[] = await api("GET", `/projects/${project.id}/jobs`);
  await using browser = await signedIn(`/projects/${project.id}/jobs/${job.id}`, "weave");
  const { page } = browser;
  await sees(page, "dd", "running");
  await sees(page, ".empty", "The job has written nothing yet");
  await setClock({ advance: 2_000 });
  await sees(page, ".log", "$ make cloth");
  const early = await page.$eval(".log", ({ textContent }) => textContent);
  expect(early).not.toContain("make shirts");
  await sees(page, "dd", "running");
  await browser.expectFaultless();
  await setClock({ advance: 1_000 });
  await sees(page, ".log", "$ make shirts\nJob succeeded");
  await sees(page, "dd", "success");
  expect(await page.$eval(".log", ({ textContent }) => textContent)).toStartWith(early);
  await setClock({ frozen: false });
  // The browser itself writes of an answer that says that nothing is new.
  expect(browser.takeErrors().every((error) => error.includes("416"))).toBe(true);
});

chromium("a job of the server's own that was given up is started again, or forgotten", async () => {
  const ran: unknown[] = [];
  let isRepaired = false;
  const world = await startWorld(
    {},
    {
      jobKinds: [
        {
          kind: "weaving",
          maxAttempts: 1,
          run({ payload }) {
            if (!isRepaired) throw new Error("the thread is torn");
            ran.push(payload);
          },
        },
      ],
    },
  );
  for (const payload of [1, 2]) {
    world.store.transact((tx) => enqueueJob(tx, world, { kind: "weaving", payload, due_at: world.clock.time() }));
  }
  await world.jobsDone();
  isRepaired = true;
  await using browser = await signedIn("/jobs?state=failed", "Background jobs", world);
  const { page } = browser;
  await holds(page, "document.querySelectorAll('tbody tr').length === 2");
  await sees(page, "td", "the thread is torn");
  await browser.expectFaultless();
  await pressButton(page, "Retry");
  await sees(page, ".toast", "The job starts again");
  await holds(page, "document.querySelectorAll('tbody tr').length === 1");
  await world.jobsDone();
  expect(ran).toEqual([2]);
  await pressButton(page, "Forget");
  await sees(page, ".toast", "The job is forgotten");
  await sees(page, ".empty", "No such job is there");
  expect((await world.get("/-/jobs")).body).toEqual([]);
  expect(ran).toEqual([2]);
});

chromium("audit events are downloaded as CSV and as JSON lines", async () => {
  await api("POST", "/groups", { name: "Mill", path: "mill", description: 'North, "Ltd"' });
  await using browser = await signedIn("/audit", "Audit events");
  const { page } = browser;
  const events = await api("GET", "/audit_events?per_page=100");
  const csv = await download(page, "CSV");
  const lines = csv.trimEnd().split("\n");
  expect(lines[0]).toContain("id,");
  expect(lines).toHaveLength(events.length + 1);
  const parsed = (await download(page, "JSON lines"))
    .trimEnd()
    .split("\n")
    .map((line): Json => JSON.parse(line));
  const ids = (all: Json[]) => all.map(({ id }) => id).sort((a, b) => a - b);
  expect(ids(parsed)).toEqual(ids(events));
  expect(JSON.stringify(parsed)).toContain("mill");
});

/** Follows a link of the page's head, and returns what the browser has put into its folder of downloads. */
async function download(page: Page, text: string): Promise<string> {
  const folder = await createTempFolder();
  try {
    const session = await page.createCDPSession();
    const common = { behavior: "allow", downloadPath: folder.path, eventsEnabled: true } as const;
    await session.send("Browser.setDownloadBehavior", common);
    const ended = Promise.withResolvers<void>();
    let name = "";
    session.on("Browser.downloadWillBegin", ({ suggestedFilename }) => {
      name = suggestedFilename;
    });
    session.on("Browser.downloadProgress", ({ state }) => {
      if (state === "completed") ended.resolve();
      if (state === "canceled") ended.reject(new Error(`the download of ${text} was refused`));
    });
    const link = `[...document.querySelectorAll("main .page-head a")].find((each) => each.textContent === ${JSON.stringify(text)})`;
    await page.evaluate(`${link}.click()`);
    await ended.promise;
    return await readFile(join(folder.path, name), "utf8");
  } finally {
    await folder.remove();
  }
}
