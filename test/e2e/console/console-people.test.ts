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
import { startSmtpServer } from "../../support/process/smtp-server.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);
const smtp = await startSmtpServer();

let outpost: OutpostProcess;
let priya: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    args: ["--smtp-url", `smtp://127.0.0.1:${smtp.port}`],
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" },
    inMemory: true,
  });
  const mill = await api("POST", "/groups", { name: "Mill", path: "mill", visibility: "private" });
  const hall = await api("POST", "/groups", { name: "Hall", path: "hall", visibility: "private", parent_id: mill.id });
  await api("POST", "/projects", { name: "loom", namespace_id: hall.id, visibility: "private" });
  const shop = await api("POST", "/projects", { name: "shop", visibility: "private" });
  await api("POST", `/projects/${shop.id}/share`, { group_id: mill.id, group_access: 20 });
  priya = await api("POST", "/users", {
    ...{ username: "priya", name: "Priya", email: "priya@mill.example", reset_password: true, bio: "Weaves" },
  });
  await api("POST", `/groups/${mill.id}/members`, { user_id: priya.id, access_level: 30 });
}, 120_000);

afterAll(async () => {
  await outpost?.stop();
  await smtp[Symbol.asyncDispose]();
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

chromium("an administrator edits a person, and what is emptied is gone", async () => {
  await using browser = await signedIn(`/people/${priya.id}`, "Priya");
  const { page } = browser;
  await pressButton(page, "Edit");
  await typeInto(page, 'dialog [name="job_title"]', "Weaver");
  await browser.expectFaultless();
  await page.$eval('dialog [name="bio"]', (field) => {
    (field as unknown as { value: string }).value = "";
  });
  await pressButton(page, "Save", "dialog");
  await sees(page, ".toast", "The changes are saved");
  expect(await api("GET", `/users/${priya.id}`)).toMatchObject({
    ...{ job_title: "Weaver", bio: "", name: "Priya", email: "priya@mill.example" },
  });
});

chromium("a membership in a group shows where else it counts", async () => {
  await using browser = await signedIn(`/people/${priya.id}`, "Priya");
  const { page } = browser;
  await pressButton(page, "Show everything below and shared");
  for (const path of ["mill/hall", "mill/hall/loom", "root/shop"]) await sees(page, "dialog td a", path);
  await browser.expectFaultless();
});

chromium("a person gets a password, a sign-in link and an impersonation token", async () => {
  await using browser = await signedIn(`/people/${priya.id}`, "Priya");
  const { page } = browser;
  await pressButton(page, "Set a password");
  await typeInto(page, 'dialog [name="password"]', "woven of seven colours");
  await pressButton(page, "Set", "dialog");
  await sees(page, ".toast", "The password is set");
  const signIn = async (more: object) => {
    const body = JSON.stringify({ login: "priya", password: "woven of seven colours", ...more });
    const headers = { "Content-Type": "application/json" };
    return (await fetch(`${outpost.origin}/-/session`, { method: "POST", headers, body })).status;
  };
  expect(await signIn({})).toBe(403);
  expect(await signIn({ new_password: "woven by herself" })).toBe(201);

  const sections = "[...document.querySelectorAll('h2')].map((each) => each.textContent)";
  await holds(page, `${sections}.includes('Impersonation tokens')`);
  await page.evaluate(
    "[...document.querySelectorAll('button')].filter((each) => each.textContent === 'New token')[1].click()",
  );
  await typeInto(page, 'dialog [name="name"]', "support");
  await pressButton(page, "Create", "dialog");
  await holds(page, "document.querySelector('dialog input[aria-label=Token]')");
  const made = await page.$eval(
    "dialog input[aria-label=Token]",
    (field) => (field as unknown as { value: string }).value,
  );
  const own = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": made } });
  expect(((await own.json()) as Json).username).toBe("priya");
  expect((await api("GET", `/users/${priya.id}/impersonation_tokens`)).length).toBe(1);
  await pressButton(page, "Close", "dialog");
  await sees(page, "section[aria-label='Impersonation tokens'] td", "support");

  await pressButton(page, "Sign-in link");
  await holds(page, "document.querySelector('dialog input[aria-label=\"Sign-in link\"]')");
  await browser.expectFaultless();
  const link = await page.$eval("dialog input", (field) => (field as unknown as { value: string }).value);
  await using other = await openConsole(outpost);
  await other.page.goto(link);
  await sees(other.page, ".me", "@priya");
});

chromium("the search finds people, groups, projects and pages by the keyboard", async () => {
  await using browser = await signedIn("/", "Overview");
  const { page } = browser;
  await page.keyboard.press("/");
  await holds(page, "document.activeElement.matches('dialog input')");
  await page.keyboard.type("mill");
  await sees(page, ".go-to li", "mill/hall");
  await sees(page, ".go-to li", "mill/hall/loom");
  await browser.expectFaultless();
  await page.keyboard.press("ArrowDown");
  await holds(page, "document.activeElement.textContent.includes('mill')");
  await page.keyboard.press("Enter");
  await sees(page, "h1", "Hall");
  await page.keyboard.press("/");
  await holds(page, "document.activeElement.matches('dialog input')");
  await page.keyboard.type("priya");
  await sees(page, ".go-to li", "@priya");
  await page.keyboard.press("Enter");
  await sees(page, "h1", "Priya");
  await page.keyboard.press("/");
  await holds(page, "document.activeElement.matches('dialog input')");
  await page.keyboard.type("settings");
  await sees(page, ".go-to li", "Application settings");
  await page.keyboard.press("Escape");
  await holds(page, "document.querySelector('dialog') === null");
});

chromium("audit events have a bar for each day", async () => {
  await using browser = await signedIn("/audit", "Audit events");
  const { page } = browser;
  await holds(page, "document.querySelector('.plot[role=img]')?.getAttribute('aria-label')?.endsWith('today')");
  const label = await page.$eval(".plot", (plot) => plot.getAttribute("aria-label"));
  const today = new Date().toISOString().slice(0, 10);
  const events = await api("GET", `/audit_events?created_after=${today}T00:00:00Z&per_page=100`);
  expect(label).toBe(`Audit events of the last 14 days, UTC; ${events.length} today`);
});

chromium("a mail is sent again", async () => {
  await using browser = await signedIn("/mails", "Mails");
  const { page } = browser;
  const before = smtp.received.length;
  await pressButton(page, "Read");
  await pressButton(page, "Send again", "dialog");
  await sees(page, ".toast", "is being sent");
  while (smtp.received.length === before) await new Promise(setImmediate);
  expect(smtp.received.at(-1)?.to).toBe(smtp.received.at(0)?.to as string);
});

chromium("a flag is checked for a person", async () => {
  await api("POST", "/features/looms", { value: true, user: "priya" });
  await using browser = await signedIn("/flags", "Feature flags");
  const { page } = browser;
  await pressButton(page, "Check");
  await typeInto(page, "dialog input", "priya");
  await pressButton(page, "Check", "dialog");
  await sees(page, "dialog p", `On: the flag is set for User:${priya.id}`);
  await browser.expectFaultless();
});

chromium("a person is banned, and deleted once the username is typed", async () => {
  const person = await api("POST", "/users", {
    ...{ username: "late", name: "Late", email: "late@mill.example", force_random_password: true },
  });
  await using browser = await signedIn(`/people/${person.id}`, "Late");
  const { page } = browser;
  const state = async () => (await api("GET", `/users/${person.id}`)).state;
  await pressButton(page, "Ban");
  await pressButton(page, "Ban", "dialog");
  await sees(page, "dd", "banned");
  expect(await state()).toBe("banned");
  await pressButton(page, "Unban");
  await pressButton(page, "Unban", "dialog");
  await sees(page, "dd", "active");
  await pressButton(page, "Delete");
  await holds(page, "document.querySelector('dialog .danger').disabled");
  await browser.expectFaultless();
  await typeInto(page, "dialog .field input:not([type=checkbox])", "late");
  await pressButton(page, "Delete", "dialog");
  await sees(page, "h1", "People");
  const gone = await fetch(`${outpost.origin}/api/v4/users/${person.id}`, { headers: { "PRIVATE-TOKEN": token } });
  expect(gone.status).toBe(404);
});
