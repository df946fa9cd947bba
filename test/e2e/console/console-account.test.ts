import { afterAll, beforeAll, expect, test } from "bun:test";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  holds,
  openConsole,
  pressButton,
  sees,
  signInByForm,
  typeInto,
} from "../../support/browser/console-browser.ts";
import { expectReachedByKeyboard } from "../../support/browser/console-keyboard.ts";
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);
const password = "a password of Mara";

let outpost: OutpostProcess;
let mara: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password of tests" },
    inMemory: true,
  });
  mara = await post("/users", { name: "Mara", username: "mara", email: "mara@people.example", password });
  const mill = await post("/groups", { name: "Mill", path: "mill" });
  await post(`/groups/${mill.id}/members`, { user_id: mara.id, access_level: 30 });
  await post("/projects", { name: "loom", namespace_id: mill.id });
}, 120_000);

afterAll(() => outpost?.stop());

async function api(method: string, path: string, json?: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const post = (path: string, json: object) => api("POST", `/api/v4${path}`, json);

/** The link in the newest mail to an address. */
async function mailedLink(address: string): Promise<string> {
  const mails: Json[] = await api("GET", "/-/outbox?per_page=20");
  const link =
    /https?:\S+_token=\w+|\/users\/\S+_token=\w+/.exec(mails.find(({ to }) => to === address)?.text)?.[0] ?? "";
  return `${outpost.origin}${link.replace(/^https?:\/\/[^/]+/, "")}`;
}

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByForm(browser.page, "mara", password);
  await sees(browser.page, "h1", heading);
  return browser;
}

chromium("a member finds their projects and groups first", async () => {
  await post("/groups", { name: "Hidden", path: "hidden" });
  await using browser = await signedIn("/projects", "Groups and projects");
  const { page } = browser;
  await sees(page, '[aria-label="Your projects"]', "mill/loom");
  await sees(page, '[aria-label="Your projects"]', "developer");
  await sees(page, '[aria-label="Your groups"]', "mill");
  await browser.expectFaultless();
  expect(await page.evaluate("document.body.innerText.includes('Hidden')")).toBe(false);
  await pressButton(page, "New project");
  await holds(
    page,
    `[...document.querySelectorAll('[name="namespace_id"] option')].some(({ text }) => text === "mill")`,
  );
});

chromium("a member makes a token that is shown once, changes it for another one, and revokes that", async () => {
  await using browser = await signedIn("/profile/tokens", "Access tokens");
  const { page } = browser;
  const user = async (shown: unknown) =>
    fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": String(shown) } });
  const shown = 'dialog [aria-label="Token"]';
  const value = () => page.$eval(shown, (field) => (field as unknown as { value: string }).value);
  await pressButton(page, "New token");
  await typeInto(page, 'dialog [name="name"]', "laptop");
  await pressButton(page, "Create", "dialog");
  await holds(page, `document.querySelector('${shown}')`);
  const first = await value();
  expect(((await (await user(first)).json()) as Json).username).toBe("mara");
  await browser.expectFaultless();
  await pressButton(page, "Close", "dialog");
  await pressButton(page, "Rotate", "section.list");
  await holds(page, `document.querySelector('dialog [name="expires_at"]')`);
  await pressButton(page, "Rotate", "dialog");
  await holds(page, `document.querySelector('${shown}')`);
  const second = await value();
  expect([(await user(first)).status, (await user(second)).status]).toEqual([401, 200]);
  await pressButton(page, "Close", "dialog");
  await pressButton(page, "Revoke", "section.list");
  await pressButton(page, "Revoke", "dialog");
  await sees(page, ".empty", "No token is active");
  expect((await user(second)).status).toBe(401);
});

chromium("a member changes name, status and notification level", async () => {
  await using browser = await signedIn("/profile", "Profile");
  const { page } = browser;
  await holds(page, `document.querySelector('[name="name"]')?.value === "Mara"`);
  await page.focus('[name="name"]');
  await page.keyboard.press("End");
  await page.keyboard.type(" Quist");
  await pressButton(page, "Save");
  await sees(page, ".me", "Mara Quist");
  await typeInto(page, '[name="message"]', "At sea");
  await pressButton(page, "Set the status");
  await sees(page, ".toast", "Your status is set");
  await browser.expectFaultless();
  expect(await api("GET", `/api/v4/users/${mara.id}`)).toMatchObject({ name: "Mara Quist" });
  expect((await api("GET", `/api/v4/users/${mara.id}/status`)).message).toBe("At sea");
  await browser.open("/profile/notifications", "Notifications");
  await holds(page, `document.querySelector('[name="level"]')`);
  await page.select('[name="level"]', "watch");
  await pressButton(page, "Save");
  await sees(page, ".toast", "The level is stored");
  await sees(page, '[aria-label="Projects"]', "mill/loom");
  await browser.expectFaultless();
});

chromium("an address is added, and the link of its mail confirms it", async () => {
  await using browser = await signedIn("/profile", "Profile");
  const { page } = browser;
  await pressButton(page, "Add an address");
  await typeInto(page, 'dialog [name="email"]', "second@people.example");
  await pressButton(page, "Add", "dialog");
  await sees(page, '[aria-label="Email addresses"]', "waits for its confirmation");
  await page.goto(await mailedLink("second@people.example"));
  await pressButton(page, "Confirm the address");
  await sees(page, "main", "second@people.example is confirmed");
  await browser.expectFaultless();
});

chromium("a password is changed by its user, who stays signed in", async () => {
  const anne = { name: "Anne", username: "anne", email: "anne@people.example", password };
  await post("/users", anne);
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await browser.open("/profile/password", "Outpost");
  await signInByForm(page, "anne", password);
  await typeInto(page, '[name="current_password"]', password);
  await typeInto(page, '[name="password"]', "another password of Anne");
  await browser.expectFaultless();
  await pressButton(page, "Change the password");
  await sees(page, ".toast", "Your password is changed");
  await browser.open("/profile", "Profile");
});

chromium("the link of the mail about a new account leads to a password that signs in", async () => {
  const email = "tom@people.example";
  await post("/users", { name: "Tom", username: "tom", email, reset_password: true });
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await page.goto(await mailedLink(email));
  await sees(page, "h1", "Choose a password");
  await holds(page, `document.querySelector('[name="password"]')`);
  await expectReachedByKeyboard(page, "body");
  await typeInto(page, '[name="password"]', "a password of Tom");
  await browser.expectFaultless();
  await pressButton(page, "Store the password");
  await sees(page, "main", "Your password is stored");
  await browser.open("/", "Outpost");
  await signInByForm(page, "tom", "a password of Tom");
  await sees(page, "h1", "Overview");
});

chromium("a forgotten password is replaced by a link that is asked for at the sign-in", async () => {
  const email = "rose@people.example";
  await post("/users", { name: "Rose", username: "rose", email, password });
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await browser.open("/", "Outpost");
  await page.click('a[href$="/forgotten-password"]');
  await typeInto(page, '[name="email"]', email);
  await pressButton(page, "Send the mail");
  await sees(page, "main", "a mail with a link is on its way");
  await browser.expectFaultless();
  await page.goto(await mailedLink(email));
  await typeInto(page, '[name="password"]', "another password of Rose");
  await pressButton(page, "Store the password");
  await sees(page, "main", "Your password is stored");
});

chromium("a password that an administrator gave is replaced at the sign-in", async () => {
  const { id } = await post("/users", { name: "Ida", username: "ida", email: "ida@people.example", password });
  await api("PUT", `/api/v4/users/${id}`, { password: "a temporary password" });
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await browser.open("/", "Outpost");
  await signInByForm(page, "ida", "a temporary password");
  await sees(page, "main", "An administrator chose this password");
  browser.takeErrors();
  await typeInto(page, '[name="new_password"]', "a password of Ida");
  await browser.expectFaultless();
  await pressButton(page, "Sign in");
  await sees(page, "h1", "Overview");
});
