import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  holds,
  openConsole,
  pressButton,
  sees,
  signInByToken,
  typeInto,
} from "../../support/browser/console-browser.ts";
import { freePort } from "../../support/process/free-port.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let folder: TempFolder;
let port: number;
let outpost: OutpostProcess;

const start = () =>
  startOutpost({
    args: ["--port", String(port), "--backup-schedule", "30 3 * * *"],
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" },
    dataFolder: join(folder.path, "data"),
  });

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await createTempFolder();
  port = await freePort();
  outpost = await start();
}, 120_000);

afterAll(async () => {
  await outpost?.stop();
  await folder?.remove();
});

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, token);
  await sees(browser.page, "h1", heading);
  return browser;
}

const call = (path: string, headers: Record<string, string> = {}) => fetch(`${outpost.origin}${path}`, { headers });

chromium("requests appear by themselves, one says why it was refused, and a GET is repeated", async () => {
  await using browser = await signedIn("/requests?search=version", "Requests");
  const { page } = browser;
  await sees(page, "[role=status]", "New requests appear by themselves");
  await call("/api/v4/version?private_token=not-a-token-at-all&answer=42");
  await sees(page, "td .tag", "401");
  await pressButton(page, "/api/v4/version", "td");
  await sees(page, "dialog .notices", "Why it was refused: 401 Unauthorized");
  await sees(page, "dialog dd", "answer (query)");
  expect(await page.evaluate("document.body.innerText")).not.toContain("not-a-token-at-all");
  await browser.expectFaultless();
  await typeInto(page, "dialog label.field:last-of-type input", "43");
  await pressButton(page, "Repeat as you", "dialog");
  await holds(page, `document.querySelector('dialog [aria-label="Answer"]')?.value.startsWith("200")`);
  await holds(page, `document.querySelector('dialog [aria-label="As curl"]').value.includes("answer=43")`);
  await browser.expectFaultless();
  await page.reload();
  await sees(page, "dialog h2", "GET /version");
});

chromium("the overview goes on after the server was gone", async () => {
  await using browser = await signedIn("/", "Overview");
  const { page } = browser;
  await sees(page, "[role=status]", "Live");
  await sees(page, ".notices", "There is no backup in the folder of backups");
  await holds(page, "document.querySelectorAll('.plot canvas').length === 2");
  await outpost.stop();
  await sees(page, "[role=status]", "Asked for every 5 s");
  outpost = await start();
  await holds(page, "[...document.querySelectorAll('[role=status]')].some((each) => each.textContent === 'Live')");
  // The browser itself writes of each request that found no server.
  browser.takeErrors();
  await browser.expectFaultless();
});

chromium("a backup is made, verified and deleted", async () => {
  await using browser = await signedIn("/backups", "Backups");
  const { page } = browser;
  await sees(page, ".empty", "There is no archive yet");
  await sees(page, "dd", "30 3 * * *");
  await pressButton(page, "Make a backup");
  await sees(page, "td", ".tar.gz");
  const [name = ""] = await readdir(join(folder.path, "data/backups"));
  await sees(page, "pre", `data/backups/${name}`);
  await pressButton(page, "Verify");
  await sees(page, ".toast", `${name} is whole`);
  const link = `document.querySelector('td a[download="${name}"]')`;
  const sizes = `fetch(${link}.href).then(async (answer) => [answer.status, (await answer.blob()).size])`;
  expect(await page.evaluate(sizes)).toEqual([200, Bun.file(join(folder.path, "data/backups", name)).size]);
  await browser.expectFaultless();
  await pressButton(page, "Delete");
  await browser.expectFaultless();
  await pressButton(page, "Delete", "dialog");
  await sees(page, ".empty", "There is no archive yet");
  expect(await readdir(join(folder.path, "data/backups"))).toEqual([]);
});

chromium("a document is read without its secrets, and a setting says where it comes from", async () => {
  await using browser = await signedIn("/data?search=personal-access", "Data");
  const { page } = browser;
  await sees(page, "td a", "personal-access-tokens");
  await page.click("td a");
  await sees(page, "h1", "personal-access-tokens");
  await pressButton(page, "1", "td");
  await sees(page, "dialog p", "Secret, and not shown: digest");
  await holds(page, `document.querySelector('dialog textarea').value.includes('"digest": null')`);
  await browser.expectFaultless();
  await browser.open("/settings/start?from=variable", "Settings of the start");
  await sees(page, "td", "root-token");
  const text = await page.evaluate("document.body.innerText");
  expect(text).not.toContain(token);
  expect(text).not.toContain("--backup-schedule");
});
