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
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const token = "token-for-the-console-of-tests";
const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
const peopleCount = 2_500;
/** Parts of 50 rows: those within some screens of what is seen, and one on each side. */
const rowsMax = 500;

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" },
    inMemory: true,
  });
  for (let made = 0; made < peopleCount; made += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => makePerson(`weaver${made + index + 1}`)));
  }
}, 240_000);

afterAll(() => outpost?.stop());

async function makePerson(username: string): Promise<void> {
  const body = JSON.stringify({ username, name: username, email: `${username}@mill.example`, reset_password: true });
  const { status } = await fetch(`${outpost.origin}/api/v4/users`, { method: "POST", headers, body });
  expect(status).toBe(201);
}

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, token);
  await sees(browser.page, "h1", heading);
  return browser;
}

chromium(
  "a long list keeps few rows however far one scrolls, and brings back those that it let go",
  async () => {
    await using browser = await signedIn("/people", "People");
    const { page } = browser;
    const rows = () => page.$$eval("tbody tr:not(:has(td[colspan]))", (all) => all.length);
    await sees(page, "td", `weaver${peopleCount}`);
    const heap = async () => {
      const cdp = await page.createCDPSession();
      await cdp.send("HeapProfiler.collectGarbage");
      return (await page.metrics()).JSHeapUsedSize as number;
    };
    let early = 0;
    const isAtEnd = "document.querySelector('main .list-end').childElementCount === 0";
    for (let steps = 0; !(await page.evaluate(isAtEnd)); steps += 1) {
      const before = (await page.evaluate("document.querySelectorAll('tbody').length")) as number;
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      await holds(page, `document.querySelectorAll('tbody').length > ${before} || ${isAtEnd}`);
      expect(await rows()).toBeLessThan(rowsMax);
      if (steps === 8) early = await heap();
    }
    await sees(page, "td", "Administrator");
    const late = await heap();
    console.log(`the page's heap after ${peopleCount} rows: ${early} → ${late} bytes`);
    expect(late).toBeLessThan(early * 1.5);
    await browser.expectFaultless();
    await page.evaluate("scrollTo(0, document.body.scrollHeight / 2)");
    await sees(page, "td", `weaver${peopleCount / 2}`);
    await page.evaluate("scrollTo(0, 0)");
    await sees(page, "td", `weaver${peopleCount}`);
    await browser.expectFaultless();
  },
  120_000,
);

chromium("a list and a form show their call and what comes back", async () => {
  await using browser = await signedIn("/people?search=weaver1234", "People");
  const { page } = browser;
  await sees(page, "td", "weaver1234");
  await pressButton(page, "API");
  await pressButton(page, "Show the answer", "dialog");
  await holds(page, `document.querySelector('dialog [aria-label="Answer"]')?.value.startsWith("200")`);
  await holds(page, `document.querySelector('dialog [aria-label="Answer"]').value.includes('"weaver1234"')`);
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await pressButton(page, "New person");
  await typeInto(page, 'dialog [name="username"]', "ada");
  await typeInto(page, 'dialog [name="password"]', "nobody reads this");
  await pressButton(page, "API", "dialog form");
  const command = `document.querySelector('dialog dialog [aria-label="Command"]')?.value`;
  await holds(page, `${command}?.startsWith("curl -X POST")`);
  expect(await page.evaluate(command)).toContain('"username":"ada"');
  expect(await page.evaluate(command)).not.toContain("nobody reads this");
  await holds(page, `document.querySelector('dialog dialog [aria-label="Answer"]')?.value.startsWith("201")`);
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await holds(page, `document.querySelectorAll("dialog").length === 1`);
});

chromium("on a narrow screen the navigation opens by its button, and closes on the next page", async () => {
  await using browser = await signedIn("/people", "People");
  const { page } = browser;
  await page.setViewport({ width: 360, height: 740 });
  const isShown = `document.querySelector("nav[aria-label=Pages]").checkVisibility()`;
  await holds(page, `!${isShown}`);
  await pressButton(page, "Menu");
  await holds(page, isShown);
  await browser.expectFaultless();
  await page.evaluate(`document.querySelector("nav[aria-label=Pages] a[href$='/sessions']").click()`);
  await sees(page, "h1", "Sessions");
  await holds(page, `!${isShown}`);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});
