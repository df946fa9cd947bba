import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
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
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let folder: TempFolder;
let outpost: OutpostProcess;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await createTempFolder();
  const storages = ["default", "fast"].map((name) => `${name}=${join(folder.path, name)}`).join(",");
  await mkdir(join(folder.path, "fast"));
  outpost = await startOutpost({
    args: ["--sandbox", "--edition", "premium", "--repository-storages", storages],
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" },
    dataFolder: join(folder.path, "data"),
  });
  await api("POST", "/groups", { name: "Mill", path: "mill", visibility: "private" });
  await api("POST", "/projects", {
    name: "loom",
    namespace_id: 2,
    visibility: "private",
    initialize_with_readme: true,
  });
  await api("POST", "/users", { username: "priya", name: "Priya", email: "priya@mill.example", reset_password: true });
}, 120_000);

afterAll(async () => {
  await outpost?.stop();
  await folder?.remove();
});

async function api(method: string, path: string, json?: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, token);
  await sees(browser.page, "h1", heading);
  return browser;
}

/** The dialog of an API button names a GET as curl, and shows what it answers. */
async function expectCall(page: Page, address: string, answer: string): Promise<void> {
  const command = `curl -H "PRIVATE-TOKEN: $TOKEN" '${address}'`;
  await holds(page, `document.querySelector('[aria-label="Command"]')?.value === ${JSON.stringify(command)}`);
  await pressButton(page, "Show the answer", "dialog");
  await holds(page, `document.querySelector('[aria-label="Answer"]')?.value.includes(${JSON.stringify(answer)})`);
}

chromium("everything on a storage is moved, and the page shows the end by itself", async () => {
  await using browser = await signedIn("/storage-moves", "Storage moves");
  const { page } = browser;
  await sees(page, ".empty", "Nothing was moved yet");
  await pressButton(page, "Move all projects of a storage");
  await typeInto(page, 'dialog [name="source_storage_name"]', "default");
  await browser.expectFaultless();
  await typeInto(page, 'dialog [name="destination_storage_name"]', "fast");
  await pressButton(page, "Schedule", "dialog");
  await sees(page, "td", "mill/loom");
  await sees(page, "td", "finished");
  expect((await api("GET", "/projects/mill%2Floom")).repository_storage).toBe("fast");
});

chromium("a feature flag is set for a user, and deleted", async () => {
  await using browser = await signedIn("/flags", "Feature flags");
  const { page } = browser;
  await pressButton(page, "Set a flag");
  await typeInto(page, "dialog[open] input", "night_colours");
  await typeInto(page, 'dialog [name="value"]', "true");
  await typeInto(page, 'dialog [name="user"]', "priya");
  await browser.expectFaultless();
  await pressButton(page, "Set", "dialog");
  await sees(page, "td", "night_colours");
  await sees(page, "td", "actors: User:");
  await pressButton(page, "Check");
  await typeInto(page, "dialog input", "priya");
  await pressButton(page, "API", "dialog form");
  await expectCall(page, `${outpost.origin}/-/features/night_colours?user=priya`, '"state": "on"');
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await holds(page, "document.querySelectorAll('dialog').length === 1");
  await page.keyboard.press("Escape");
  await holds(page, "document.querySelector('dialog') === null");
  await pressButton(page, "Delete");
  await pressButton(page, "Delete", "dialog");
  await sees(page, ".empty", "All flags are at their defaults");
});

chromium("a setting is found, changed, and what changed it is in the audit events", async () => {
  await using browser = await signedIn("/settings?search=signup%20enabled", "Application settings");
  const { page } = browser;
  await pressButton(page, "Change");
  await holds(page, `document.querySelector('dialog input[name="signup_enabled"]')`);
  await browser.expectFaultless();
  const before = (await api("GET", "/application/settings")).signup_enabled;
  await page.click('dialog input[name="signup_enabled"]');
  await pressButton(page, "Change", "dialog");
  await sees(page, "td", before ? "no" : "yes");
  expect((await api("GET", "/application/settings")).signup_enabled).toBe(!before);
  await browser.open("/audit", "Audit events");
  await sees(page, "td", "application setting updated");
  await pressButton(page, "Show");
  await holds(page, "document.querySelector('dialog textarea')?.value.includes('{')");
  await browser.expectFaultless();
});

chromium("the page of a user explains why a call is refused", async () => {
  const [{ id }] = await api("GET", "/users?username=priya");
  await using browser = await signedIn(`/people/${id}`, "Priya");
  const { page } = browser;
  await typeInto(page, 'input[placeholder^="/projects"]', "projects/mill/loom/issues");
  await pressButton(page, "Explain");
  await sees(page, ".refusal", "Refused: 404: the project mill/loom is private, and priya has no role in it");
  await browser.expectFaultless();
  await api("POST", "/groups/mill/members", { user_id: id, access_level: 20 });
  await pressButton(page, "Explain");
  await sees(page, ".good", "Allowed");
  await sees(page, "dd", "Reporter: inherited from the group mill above");
  await page.evaluate(`document.querySelector('input[placeholder^="/projects"]').value = ""`);
  await typeInto(page, 'input[placeholder^="/projects"]', "projects/mill/loom");
  await page.select("main form select", "DELETE");
  await pressButton(page, "Explain");
  await sees(page, ".refusal", "Refused: 403");
  await browser.expectFaultless();
  await page.evaluate(`document.querySelector('input[placeholder^="/projects"]').value = ""`);
  await typeInto(page, 'input[placeholder^="/projects"]', "projects/mill/loom/issues");
  await page.select("main form select", "GET");
  await pressButton(page, "API", "form");
  const query = new URLSearchParams({ user_id: String(id), method: "GET", path: "/projects/mill/loom/issues" });
  await expectCall(page, `${outpost.origin}/-/explanation?${query}`, '"allowed": true');
  await browser.expectFaultless();
});

chromium("a checkpoint is created and restored, and the clock is advanced", async () => {
  await using browser = await signedIn("/sandbox", "Sandbox");
  const { page } = browser;
  await typeInto(page, "main input", "before");
  await pressButton(page, "Create");
  await sees(page, "section[aria-label=Checkpoints] td", "before");
  await api("POST", "/groups", { name: "Later", path: "later" });
  await pressButton(page, "Restore");
  await browser.expectFaultless();
  await pressButton(page, "Restore", "dialog");
  await sees(page, ".toast", "before is restored");
  const groups: Json[] = await api("GET", "/groups");
  expect(groups.map(({ path }) => path)).not.toContain("later");
  await pressButton(page, "Advance or set");
  await typeInto(page, 'dialog [name="advance"]', "PT1H");
  await pressButton(page, "Change", "dialog");
  await sees(page, ".toast", "The clock is changed");
  await sees(page, "dd", "3,6");
  await browser.expectFaultless();
});

chromium("a fault is made, hits one request, and the request is seen with its answer", async () => {
  await using browser = await signedIn("/sandbox", "Sandbox");
  const { page } = browser;
  await sees(page, ".empty", "No request fails on purpose");
  await pressButton(page, "New rule");
  await typeInto(page, 'dialog [name="route"]', "/version");
  await pressButton(page, "API", "dialog form");
  const command = `document.querySelector('dialog dialog [aria-label="Command"]')?.value`;
  await holds(page, `${command}?.includes('{"match":{"route":"/version"},"effect":{"code":503},"times":1}')`);
  await page.keyboard.press("Escape");
  await holds(page, "document.querySelectorAll('dialog').length === 1");
  await browser.expectFaultless();
  await pressButton(page, "Make", "dialog");
  await sees(page, "td", "code 503");
  const answer = await fetch(`${outpost.origin}/api/v4/version?seen=here`);
  expect(answer.status).toBe(503);
  await pressButton(page, "Look again");
  await sees(page, "td", "1 of 1");
  await typeInto(page, 'input[type="search"]', "seen=here");
  await sees(page, "td", "/api/v4/version?seen=here");
  await pressButton(page, "Open");
  await sees(page, "dialog dd", "503");
  const texts = await page.$$eval("dialog textarea", (all) => all.map((each) => each.value));
  expect(texts[1]).toContain("503 Service Unavailable");
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await pressButton(page, "Forget all");
  await sees(page, ".empty", "No request was kept");
});

chromium("a reader who is no administrator has no administration in the navigation", async () => {
  const [{ id }] = await api("GET", "/users?username=priya");
  const made = await api("POST", `/users/${id}/personal_access_tokens`, { name: "own", scopes: ["api"] });
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await browser.open("/", "Outpost");
  await signInByToken(page, made.token);
  await sees(page, "h1", "Overview");
  const links = await page.$$eval("nav a", (all) => all.map(({ textContent }) => textContent));
  expect(links).toContain("People");
  expect(links).not.toContain("Feature flags");
  await browser.open("/flags", "Feature flags");
  await sees(page, "[role=alert]", "403 Forbidden");
  browser.takeErrors();
  await browser.expectFaultless();
});
