import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium, openBrowser, press, type WatchedPage } from "../../support/browser/browser.ts";
import { violationsOn } from "../../support/browser/console-browser.ts";
import { startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../../artifacts");
const token = "token-for-the-api-page";

const missing = await installChromium();

test.skipIf(missing !== undefined)(
  "a person authorises on /-/api once and makes a call after a reload, from an empty folder",
  async () => {
    await using empty = await createTempFolder();
    await using outpost = await startOutpost({ cwd: empty.path, env: { OUTPOST_ROOT_TOKEN: token } });
    await using browser = await openBrowser(outpost.origin);
    const { page } = browser;
    await mkdir(artifacts, { recursive: true });

    await page.goto(`${outpost.origin}/-/api`);
    await page.waitForSelector("#operations-tag-Version");
    await page.screenshot({ path: join(artifacts, "api-page.png") });

    await press(page, ".auth-wrapper .authorize");
    await page.waitForSelector(".auth-container input", { visible: true });
    expect(await page.$$(".auth-container input")).toHaveLength(1);
    await page.type(".auth-container input", token);
    await page.screenshot({ path: join(artifacts, "api-page-authorise.png") });
    await press(page, ".auth-container .auth-btn-wrapper .authorize");
    await press(page, ".modal-ux .btn-done");

    await page.reload();
    await press(page, "#operations-tag-Version");
    await press(page, "#operations-Version-getVersion .opblock-summary-control");
    await press(page, "#operations-Version-getVersion .execute");
    const answer = await page.waitForSelector("#operations-Version-getVersion .live-responses-table .response");
    const text = await answer?.evaluate((element) => element.textContent);
    await page.$eval("#operations-Version-getVersion", (element) => element.scrollIntoView());
    await page.screenshot({ path: join(artifacts, "api-page-call.png") });

    expect(text).toMatch(/^200/);
    expect(text).toContain('"version": "17.');
    expect(page.url()).toBe(`${outpost.origin}/-/api#/Version/getVersion`);
    expect(browser.foreign).toEqual([]);
    expect(browser.errors).toEqual([]);
  },
);

test.skipIf(missing !== undefined)("a person finds an operation by words of its summary and its path", async () => {
  await using outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token } });
  await using browser = await openBrowser(outpost.origin);
  const { page } = browser;
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.goto(`${outpost.origin}/-/api`);
  const shown = () => page.$$eval(".opblock", (blocks) => blocks.map(({ id }) => id));
  const search = async (words: string) => {
    await page.$eval(".operation-filter input", (input) => input.select());
    await page.type(".operation-filter input", words);
  };

  await page.waitForSelector("#operations-tag-Version");
  expect(await shown()).toEqual([]);
  await search("metadata version");
  await page.waitForSelector("#operations-Version-getMetadata");
  expect(await shown()).toEqual(["operations-Version-getMetadata"]);
  await search("/user_counts");
  await page.waitForSelector("[id$=getUserCounts]");
  expect(await shown()).toHaveLength(1);
  await search("no such words");
  await page.waitForSelector(".without-result");
  expect(await shown()).toEqual([]);

  const hasBackground = (colour: string) =>
    page.waitForFunction(`getComputedStyle(document.documentElement).backgroundColor === "${colour}"`);
  await hasBackground("rgb(28, 32, 34)");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await hasBackground("rgba(0, 0, 0, 0)");
  expect(browser.foreign).toEqual([]);
  expect(browser.errors).toEqual([]);
});

test.skipIf(missing !== undefined).each(["acme/core", "acme%2Fcore"])(
  "a person types the path of a project: %s",
  async (path) => {
    await using outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token } });
    await using browser = await openBrowser(outpost.origin);
    const { page } = browser;
    await page.goto(`${outpost.origin}/-/api#/Projects/getProjectsById`);
    const operation = "#operations-Projects-getProjectsById";
    await page.waitForSelector(`${operation} [data-param-name=id] input`);
    await page.type(`${operation} [data-param-name=id] input`, path);
    // Leaving the field hands over what was typed.
    await page.keyboard.press("Tab");
    await press(page, `${operation} .execute`);
    await page.waitForSelector(`${operation} .live-responses-table .response`);
    expect(await page.$eval(`${operation} .request-url`, (url) => url.textContent)).toEndWith("/projects/acme%2Fcore");
  },
);

/** The chapters of the page, and how far from its top the first is. */
const chapters = (page: WatchedPage["page"]) =>
  page.$$eval(".opblock-tag", (titles) => ({
    names: titles.map((title) => title.querySelector("a")?.textContent ?? ""),
    // A reload may bring back how far the page was scrolled.
    top: (titles[0]?.getBoundingClientRect().top ?? 0) - (titles[0]?.closest("html")?.getBoundingClientRect().top ?? 0),
  }));

test.skipIf(missing !== undefined)("the chapters are there before the scripts, and stay where they are", async () => {
  await using outpost = await startOutpost();
  await using browser = await openBrowser(outpost.origin);
  const { page } = browser;
  await page.setJavaScriptEnabled(false);
  await page.goto(`${outpost.origin}/-/api`);
  const first = await chapters(page);
  await page.click(".opblock-tag a[href='#/Version']");
  expect(page.url()).toBe(`${outpost.origin}/-/api#/Version`);

  await page.setJavaScriptEnabled(true);
  await page.reload();
  await page.waitForSelector("#operations-Version-getVersion");
  const drawn = await chapters(page);
  expect(drawn.names).toEqual(first.names);
  expect(Math.abs(drawn.top - first.top)).toBeLessThanOrEqual(2);
  expect(browser.errors).toEqual([]);
});

test.skipIf(missing !== undefined)("all texts have enough contrast, by day and by night", async () => {
  await using outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token } });
  await using browser = await openBrowser(outpost.origin);
  const { page } = browser;
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(`${outpost.origin}/-/api`);
    await press(page, "#operations-tag-Labels");
    await press(page, "[id^=operations-Labels-put] .opblock-summary-control");
    await page.waitForSelector("[id^=operations-Labels-put] .execute");
    expect(await violationsOn(page, { type: "rule", values: ["color-contrast"] })).toEqual([]);
  }
});
