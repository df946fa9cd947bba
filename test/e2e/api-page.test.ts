import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium, openBrowser, press } from "../support/browser.ts";
import { startOutpost } from "../support/outpost-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../artifacts");
const token = "token-for-the-api-page";

const missing = await installChromium();

test.skipIf(missing !== undefined)("a person authorises on /-/api and makes a call, from an empty folder", async () => {
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
  await page.type(".auth-container input", token);
  await page.screenshot({ path: join(artifacts, "api-page-authorise.png") });
  await press(page, ".auth-container .auth-btn-wrapper .authorize");
  await press(page, ".modal-ux .btn-done");

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
});
