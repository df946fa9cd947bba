import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  holds,
  openConsole,
  pressButton,
  sees,
  signInByForm,
  signInByToken,
  typeInto,
} from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../../artifacts");
const token = "token-for-the-console-of-tests";
const password = "a password for the console";
const names = {
  markup: `<img src=x onerror="alert(1)"><b>bold</b>`,
  emoji: "👩‍🚀 Zoë 🎉",
  rightToLeft: "\u202Eevil \u05D0\u05D1\u05D2",
};

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;

async function api(method: string, path: string, json?: object) {
  const response = await fetch(`${outpost.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

beforeAll(async () => {
  if (missing !== undefined) return;
  await mkdir(artifacts, { recursive: true });
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: password } });
  for (const [username, name] of Object.entries(names)) {
    await api("POST", "/users", { username, name, email: `${username}@people.example`, reset_password: true });
  }
  await api("POST", "/users", { username: "ada", name: "Ada", email: "ada@people.example", password });
}, 120_000);

afterAll(async () => {
  await outpost?.stop();
});

const textOf = (browser: ConsoleBrowser, selector: string) =>
  browser.page.$eval(selector, (element) => element.textContent as string);

describe("signing in", () => {
  chromium("the first start's address leads to a password, with which one signs in again", async () => {
    await using first = await startOutpost();
    const { stdout } = await runOutpost(["console-link", "--data", first.dataFolder]);
    const link = stdout.trim();
    await using browser = await openConsole(first);
    const { page } = browser;
    await page.goto(link);
    await sees(page, "h1", "Choose a password");
    expect(page.url()).toBe(`${first.origin}/-/console/welcome`);
    await browser.expectFaultless();
    await typeInto(page, 'input[name="password"]', password);
    await pressButton(page, "Store the password");
    await sees(page, "h1", "Overview");
    // A request of the page that came after the end of the session would be refused, and the browser would say so.
    // The stream of events stays open.
    await page.waitForNetworkIdle({ concurrency: 1 });
    await pressButton(page, "Sign out");
    await signInByForm(page, "root", password);
    await sees(page, "h1", "Overview");
    await browser.expectFaultless();
    await pressButton(page, "Sign out");
    await sees(page, "h1", "Outpost");
    await page.goto("about:blank");
    await page.goto(link);
    await sees(page, "[role=status]", "This address was used already");
  });

  chromium("with what does not fit is refused in words, and a link leads on to its page afterwards", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/people?filter=admins", "Outpost");
    await browser.expectFaultless();
    await page.screenshot({ path: join(artifacts, "console-sign-in.png") });
    await signInByForm(page, "root", "wrong");
    await sees(page, "[role=alert]", "These do not fit");
    // The browser itself writes of each refusal.
    expect(browser.takeErrors().every((error) => error.includes("401"))).toBe(true);
    await pressButton(page, "Use an access token");
    await typeInto(page, 'input[name="token"]', token);
    await pressButton(page, "Sign in");
    await sees(page, "h1", "People");
    await sees(page, "td", "Administrator");
    expect(await page.$$eval("tbody tr", (rows) => rows.length)).toBe(1);
    await page.reload();
    await sees(page, "td", "Administrator");
    await browser.expectFaultless();
  });

  chromium("a session that ends meanwhile is told, and the way back is open", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/people", "Outpost");
    await signInByForm(page, "root", password);
    await sees(page, "td", "Administrator");
    const sessions = await fetch(`${outpost.origin}/-/sessions?per_page=100`, { headers: { "PRIVATE-TOKEN": token } });
    for (const { id } of (await sessions.json()) as { id: number }[]) {
      await fetch(`${outpost.origin}/-/sessions/${id}`, { method: "DELETE", headers: { "PRIVATE-TOKEN": token } });
    }
    await page.select("select", "bots");
    await sees(page, "[role=status]", "Your session has ended");
    await signInByForm(page, "root", password);
    await sees(page, "h1", "People");
    expect(new URL(page.url()).search).toBe("?filter=bots");
  });
});

describe("by keyboard", () => {
  chromium("the navigation is reached, the skip link goes past it, and keys go to pages", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/", "Outpost");
    await signInByToken(page, token);
    await sees(page, "h1", "Overview");
    await browser.open("/", "Overview");
    const focused = () => page.evaluate("document.activeElement.textContent");
    const reached: unknown[] = [];
    while (reached.at(-1) !== "Sign out" && reached.length < 40) {
      await page.keyboard.press("Tab");
      reached.push(await focused());
    }
    const links = await page.$$eval("nav a", (all) => all.map(({ textContent }) => textContent));
    expect(links).toContain("Storage moves");
    expect(reached).toEqual(["Skip to the page", "Search /", ...links, "Administrator", "Sign out"]);
    await browser.open("/", "Overview");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await sees(page, "h1", "People");
    await page.goBack();
    await sees(page, "h1", "Overview");
    await page.keyboard.press("?");
    await sees(page, "dialog h2", "Keys");
    await browser.expectFaultless();
    await page.keyboard.press("Escape");
    await holds(page, "document.querySelector('dialog') === null");
  });
});

describe("people", () => {
  chromium("names with markup, marks and emoji show as text", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/people", "Outpost");
    await signInByToken(page, token);
    for (const [username, name] of Object.entries(names)) {
      await sees(page, "td bdi", name);
      const { id } = (await api("GET", `/users?username=${username}`))[0];
      await browser.open(`/people/${id}`, name);
      expect(await textOf(browser, "h1 bdi")).toBe(name);
      expect(await page.$("main img, main b")).toBeNull();
      await browser.expectFaultless();
      await browser.open("/people", "People");
    }
  });

  chromium("are searched as one types, made, blocked and given a token", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/people", "Outpost");
    await signInByToken(page, token);
    await sees(page, "h1", "People");
    await typeInto(page, "main input[type=search]", "ada");
    await holds(page, "location.search === '?search=ada' && document.querySelectorAll('tbody tr').length === 1");
    await pressButton(page, "New person");
    await holds(page, `document.querySelector('dialog input[name="username"]')`);
    await browser.expectFaultless();
    await typeInto(page, 'dialog input[name="name"]', "Ben");
    await typeInto(page, 'dialog input[name="username"]', "ada");
    await typeInto(page, 'dialog input[name="email"]', "ben@people.example");
    await pressButton(page, "Create", "dialog");
    await sees(page, "dialog [role=alert]", "request ");
    expect(browser.takeErrors().every((error) => error.includes("409"))).toBe(true);
    await page.$eval('dialog input[name="username"]', (input) => {
      (input as unknown as { value: string }).value = "";
    });
    await typeInto(page, 'dialog input[name="username"]', "ben");
    await pressButton(page, "Create", "dialog");
    await sees(page, "h1", "Ben");

    await pressButton(page, "Block");
    await sees(page, "dialog h2", "Block ben?");
    await browser.expectFaultless();
    await pressButton(page, "Block", "dialog");
    await sees(page, ".facts", "blocked");
    await pressButton(page, "Unblock");
    await pressButton(page, "Unblock", "dialog");
    await sees(page, ".facts", "active");

    await pressButton(page, "New token");
    await holds(page, `document.querySelector('dialog input[name="name"]')`);
    await browser.expectFaultless();
    await typeInto(page, 'dialog input[name="name"]', "for a script");
    await pressButton(page, "Create", "dialog");
    await sees(page, "dialog h2", "The new token");
    const made = await page.$eval("dialog input", (input) => (input as unknown as { value: string }).value);
    const own = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": made } });
    expect(((await own.json()) as Json).username).toBe("ben");
    await page.keyboard.press("Escape");
    await sees(page, "td", "for a script");
    await browser.expectFaultless();
  });

  chromium("a list shows its call without the token, and goes on as one scrolls", async () => {
    for (let number = 0; number < 60; number += 1) {
      const username = `many${number}`;
      await api("POST", "/users", { username, name: username, email: `${username}@p.example`, reset_password: true });
    }
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/people", "Outpost");
    await signInByToken(page, token);
    await sees(page, "td", "many59");
    await pressButton(page, "API");
    await holds(page, "document.querySelector('dialog textarea')");
    expect(await page.evaluate("document.querySelector('dialog textarea').value")).toBe(
      `curl -H "PRIVATE-TOKEN: $TOKEN" '${outpost.origin}/api/v4/users?pagination=keyset&per_page=50'`,
    );
    await browser.expectFaultless();
    await page.keyboard.press("Escape");
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await sees(page, "td", "markup");
    await browser.expectFaultless();
  });

  chromium("who is no administrator sees the own things, and is refused the rest in words", async () => {
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/", "Outpost");
    await signInByForm(page, "ada", password);
    await sees(page, "main", "You are signed in as ada");
    await browser.open("/people?search=root", "People");
    await sees(page, "td", "Administrator");
    expect(await page.$("main button.primary")).toBeNull();
    await browser.open("/people/999999", "Person");
    await sees(page, "[role=alert]", "404 User Not Found");
    browser.takeErrors();
    await browser.expectFaultless();
  });
});

describe("sessions", () => {
  chromium("are ended everywhere at once", async () => {
    await using here = await openConsole(outpost);
    await using there = await openConsole(outpost);
    for (const browser of [here, there]) {
      await browser.open("/sessions", "Outpost");
      await signInByForm(browser.page, "ada", password);
      await sees(browser.page, "td", "this one");
    }
    await here.page.reload();
    await holds(here.page, "document.querySelectorAll('tbody tr').length >= 2");
    await pressButton(here.page, "Sign out everywhere");
    await sees(here.page, "dialog h2", "Sign out everywhere?");
    await here.expectFaultless();
    await pressButton(here.page, "Sign out everywhere", "dialog");
    await sees(here.page, "[role=status]", "You are signed out everywhere");
    await here.expectFaultless();
    await there.page.reload();
    await holds(there.page, `document.querySelector('input[name="login"]')`);
  });
});

chromium("a server that goes and comes back is told, and the page goes on", async () => {
  const first = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: password } });
  const port = new URL(first.origin).port;
  await using browser = await openConsole(first);
  const { page } = browser;
  await browser.open("/people", "Outpost");
  await signInByForm(page, "root", password);
  await sees(page, "td", "Administrator");
  // The folder goes with its process: another one answers at the same port.
  await first.kill();
  await page.select("select", "admins");
  await sees(page, "[role=alert]", "The server does not answer");
  await using _second = await startOutpost({ args: ["--port", port], env: { OUTPOST_ROOT_TOKEN: token } });
  await holds(page, "document.querySelector('.banner') === null");
});
