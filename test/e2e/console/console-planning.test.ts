import { afterAll, beforeAll, expect, test } from "bun:test";
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

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;
let mill: Json;
let loom: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    args: ["--edition", "premium"],
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password of tests" },
    inMemory: true,
  });
  mill = await api("POST", "/groups", { name: "Mill", path: "mill" });
  loom = await api("POST", "/projects", { name: "loom", namespace_id: mill.id });
  await api("POST", `/projects/${loom.id}/labels`, { name: "noise", color: "#cc3311" });
  for (const title of ["Hums", "Clicks", "Sings"]) {
    const labels = title === "Sings" ? [] : ["noise"];
    await api("POST", `/projects/${loom.id}/issues`, { title, labels });
  }
  await api("PUT", `/projects/${loom.id}/issues/2`, { state_event: "close" });
}, 120_000);

afterAll(() => outpost?.stop());

async function api(method: string, path: string, json?: object, own = token): Promise<Json> {
  const response = await fetch(`${outpost.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": own, "Content-Type": "application/json" },
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

/** Types over what a field has. */
async function retype({ page }: ConsoleBrowser, selector: string, text: string): Promise<void> {
  await holds(page, `document.querySelector(${JSON.stringify(selector)})`);
  await page.$eval(selector, (field) => {
    (field as unknown as { value: string }).value = "";
  });
  if (text !== "") await typeInto(page, selector, text);
}

chromium("issues are counted by week and state, and filtered by label and milestone", async () => {
  await api("POST", `/projects/${loom.id}/milestones`, { title: "Spring" });
  await using browser = await signedIn(`/projects/${loom.id}/issues`, "Issues");
  const { page } = browser;
  const plot = `document.querySelector(".plot[role=img]")?.getAttribute("aria-label")`;
  await holds(page, `${plot}?.endsWith("2 are open, 1 are closed")`);
  await browser.expectFaultless();
  const labels = `[...document.querySelectorAll("search select")][1]`;
  await holds(page, `${labels}.options.length === 2`);
  await page.evaluate(`${labels}.id = "labels"`);
  await page.select("#labels", "noise");
  await holds(page, `${plot}?.endsWith("1 are open, 1 are closed")`);
  await holds(page, `document.querySelectorAll("section.list tbody tr").length === 1`);
  expect(new URL(page.url()).search).toBe("?label=noise");
  await browser.open(`/projects/${loom.id}/issues?milestone=Spring`, "Issues");
  await sees(page, ".empty", "No issue fits");
});

chromium("an issue is edited, and what is emptied is gone", async () => {
  await api("PUT", `/projects/${loom.id}/issues/1`, { description: "All day", due_date: "2030-05-01" });
  await using browser = await signedIn(`/projects/${loom.id}/issues/1`, "Hums");
  const { page } = browser;
  await pressButton(page, "Edit");
  await retype(browser, 'dialog [name="title"]', "Hums, and clicks");
  await retype(browser, 'dialog [name="labels"]', "noise, night");
  await retype(browser, 'dialog [name="description"]', "");
  await retype(browser, 'dialog [name="due_date"]', "");
  await browser.expectFaultless();
  await pressButton(page, "Save", "dialog");
  await sees(page, "dd", "night");
  const changed = await api("GET", `/projects/${loom.id}/issues/1`);
  expect(changed).toMatchObject({ title: "Hums, and clicks", labels: ["night", "noise"], due_date: null });
  expect(changed.description ?? "").toBe("");
});

for (const [kind, place] of [
  ["projects", () => loom],
  ["groups", () => mill],
] as const) {
  chromium(`labels and milestones of ${kind} are created, changed and deleted`, async () => {
    const { id } = place();
    await using browser = await signedIn(`/${kind}/${id}/labels?search=wo`, "Labels");
    const { page } = browser;
    await sees(page, ".empty", "No label is like that");
    await pressButton(page, "New label");
    await typeInto(page, 'dialog [name="name"]', "wool");
    await browser.expectFaultless();
    await pressButton(page, "Create", "dialog");
    await sees(page, "td", "wool");
    await browser.expectFaultless();
    await pressButton(page, "Edit");
    await retype(browser, 'dialog [name="new_name"]', "wood");
    await pressButton(page, "Save", "dialog");
    await sees(page, "td", "wood");
    await pressButton(page, "Delete");
    await pressButton(page, "Delete", "dialog");
    await sees(page, ".empty", "No label is like that");
    await browser.open(`/${kind}/${id}/milestones`, "Milestones");
    await pressButton(page, "New milestone");
    await typeInto(page, 'dialog [name="title"]', "Autumn");
    await pressButton(page, "Create", "dialog");
    await sees(page, "td", "Autumn");
    await browser.expectFaultless();
    await pressButton(page, "Close", "tr:first-child");
    await sees(page, ".toast", "The milestone is closed");
    await browser.open(`/${kind}/${id}/milestones?state=closed`, "Milestones");
    await pressButton(page, "Delete");
    await pressButton(page, "Delete", "dialog");
    await sees(page, ".empty", "No milestone is in this state");
  });
}

chromium("an epic is created, edited and closed", async () => {
  await using browser = await signedIn(`/groups/${mill.id}/epics`, "Epics");
  const { page } = browser;
  await sees(page, ".empty", "No epic fits");
  await pressButton(page, "New epic");
  await typeInto(page, 'dialog [name="title"]', "Quiet looms");
  await page.$eval('dialog [name="due_date_fixed"]', (field) => {
    (field as unknown as { value: string }).value = "2030-06-01";
  });
  await browser.expectFaultless();
  await pressButton(page, "Create", "dialog");
  await sees(page, "td", "Quiet looms");
  await sees(page, "td", "2030-06-01");
  await pressButton(page, "Edit");
  await retype(browser, 'dialog [name="title"]', "Quieter looms");
  await pressButton(page, "Save", "dialog");
  await sees(page, "td", "Quieter looms");
  await browser.expectFaultless();
  await pressButton(page, "Close", "tbody");
  await sees(page, ".empty", "No epic fits");
  expect((await api("GET", `/groups/${mill.id}/epics/1`)).state).toBe("closed");
});
