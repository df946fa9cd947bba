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
let priya: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password of tests" },
    inMemory: true,
  });
  mill = await api("POST", "/groups", { name: "Mill", path: "mill", visibility: "public" });
  loom = await api("POST", "/projects", { name: "loom", namespace_id: mill.id, initialize_with_readme: true });
  priya = await api("POST", "/users", {
    username: "priya",
    name: "Priya",
    email: "p@mill.example",
    reset_password: true,
  });
  await api("POST", `/groups/${mill.id}/members`, { user_id: priya.id, access_level: 30 });
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

chromium("a group and a project in it are created, edited, transferred and deleted", async () => {
  await using browser = await signedIn("/projects", "Groups and projects");
  const { page } = browser;
  await pressButton(page, "New group");
  await typeInto(page, 'dialog [name="name"]', "Hall");
  await typeInto(page, 'dialog [name="path"]', "hall");
  await browser.expectFaultless();
  await pressButton(page, "Create", "dialog");
  await sees(page, "h1", "Hall");
  const { id: hall } = await api("GET", "/groups/hall");
  await pressButton(page, "Edit");
  await typeInto(page, 'dialog [name="description"]', "Where looms stand");
  await browser.expectFaultless();
  await pressButton(page, "Save", "dialog");
  await sees(page, "main p", "Where looms stand");
  await pressButton(page, "Edit");
  await retype(browser, 'dialog [name="description"]', "");
  await pressButton(page, "Save", "dialog");
  await holds(page, `!document.querySelector("main").innerText.includes("Where looms stand")`);
  expect((await api("GET", "/groups/hall")).description).toBe("");
  await pressButton(page, "New project");
  await typeInto(page, 'dialog [name="name"]', "shuttle");
  await pressButton(page, "Create", "dialog");
  await sees(page, "h1", "shuttle");
  await sees(page, "dt", "Sizes");
  await pressButton(page, "Transfer");
  await typeInto(page, 'dialog [name="namespace"]', "mill");
  await pressButton(page, "Transfer", "dialog");
  await sees(page, "dd", "mill/shuttle");
  await browser.open(`/groups/${hall}`, "Hall");
  await sees(page, ".empty", "Nothing is in it");
  await pressButton(page, "Delete");
  await typeInto(page, "dialog .field input", "hall");
  await browser.expectFaultless();
  await pressButton(page, "Delete", "dialog");
  await sees(page, "h1", "Groups and projects");
  await sees(page, "summary", "Mill");
});

chromium("a member shows where the role comes from, gets another one and is removed", async () => {
  await using browser = await signedIn(`/projects/${loom.id}/members`, "Members");
  const { page } = browser;
  await sees(page, 'td[data-head="Comes from"]', "a group");
  await page.evaluate(`document.querySelector('[aria-label="Show where Priya\\'s role comes from"]').click()`);
  await sees(page, "dialog dd", "inherited from the group mill above");
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await browser.open(`/groups/${mill.id}/members`, "Members");
  await sees(page, 'td[data-head="Comes from"]', "direct");
  const row = `[...document.querySelectorAll("tr")].find((each) => each.textContent.includes("priya"))`;
  const pressInRow = (text: string) =>
    page.evaluate(`[...${row}.querySelectorAll("button")].find((each) => each.textContent === "${text}").click()`);
  await holds(page, `${row}?.textContent.includes("Change")`);
  await pressInRow("Change");
  await holds(page, `document.querySelector('dialog [name="access_level"]')?.value === "30"`);
  await page.select('dialog [name="access_level"]', "20");
  await browser.expectFaultless();
  await pressButton(page, "Change", "dialog");
  await holds(page, `${row}.textContent.includes("reporter")`);
  await pressInRow("Remove");
  await pressButton(page, "Remove", "dialog");
  await holds(page, `${row} === undefined`);
});

chromium("a page of a project explains who may see it", async () => {
  await using browser = await signedIn(`/projects/${loom.id}/members`, "Members");
  const { page } = browser;
  await page.type('form input[autocomplete="off"]', "nobody-of-this-name");
  await pressButton(page, "Explain");
  await sees(page, ".toast", "Nobody has the username nobody-of-this-name.");
  await retype(browser, 'form input[autocomplete="off"]', "priya");
  await pressButton(page, "Explain");
  await sees(page, ".refusal", "Refused: 404: the project mill/loom is private, and priya has no role in it");
  await browser.expectFaultless();
});

chromium("a group is invited and removed, and a request for access is approved", async () => {
  const guild = await api("POST", "/groups", { name: "Guild", path: "guild", visibility: "public" });
  const open = await api("POST", "/projects", { name: "open", namespace_id: mill.id, visibility: "public" });
  const { token: own } = await api("POST", `/users/${priya.id}/personal_access_tokens`, { name: "x", scopes: ["api"] });
  await api("POST", `/projects/${open.id}/access_requests`, {}, own);
  await using browser = await signedIn(`/projects/${open.id}/members`, "Members");
  const { page } = browser;
  await sees(page, ".empty", "No group is invited");
  await pressButton(page, "Invite a group");
  await typeInto(page, 'dialog [name="group_id"]', String(guild.id));
  await page.select('dialog [name="group_access"]', "20");
  await browser.expectFaultless();
  await pressButton(page, "Invite", "dialog");
  await sees(page, "section[aria-label='Invited groups'] td", "guild");
  await pressButton(page, "Remove", "section[aria-label='Invited groups']");
  await pressButton(page, "Remove", "dialog");
  await sees(page, ".empty", "No group is invited");
  await pressButton(page, "Approve");
  await holds(page, `document.querySelector('dialog [name="access_level"]')?.value === "30"`);
  await pressButton(page, "Approve", "dialog");
  await sees(page, "section[aria-label='Members'] td", "Priya");
  await sees(page, ".empty", "Nobody waits for access");
  await browser.expectFaultless();
});

chromium("branches lead to their files and commits", async () => {
  await api("POST", `/projects/${loom.id}/repository/branches`, { branch: "next", ref: "main" });
  await using browser = await signedIn(`/projects/${loom.id}/branches?search=next`, "Branches");
  const { page } = browser;
  await holds(page, `document.querySelectorAll("main tbody tr").length === 1`);
  await browser.expectFaultless();
  await page.evaluate(`document.querySelector("main td a").click()`);
  await sees(page, "td", "README.md");
  expect(new URL(page.url()).search).toBe("?ref=next");
});
