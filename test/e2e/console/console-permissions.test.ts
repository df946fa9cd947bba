import { afterAll, beforeAll, expect, test } from "bun:test";
import { installChromium } from "../../support/browser/browser.ts";
import { holds, openConsole, pressButton, sees, signInByToken } from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: token }, inMemory: true });
}, 120_000);

afterAll(() => outpost?.stop());

/** Operation → who may call it, in the order of the columns: from anonymous callers to administrators, then job tokens. */
const rows = {
  "GET /-/health": "yes yes yes yes yes yes yes yes yes no",
  "GET /api/v4/version": "no yes yes yes yes yes yes yes yes no",
  "GET /api/v4/projects/{id}": "visible visible yes yes yes yes yes yes yes no",
  "GET /api/v4/projects/{id}/members": "no visible yes yes yes yes yes yes yes no",
  "PUT /api/v4/projects/{id}": "no no no no no no yes yes yes no",
  "DELETE /api/v4/projects/{id}": "no no no no no no no yes yes no",
  "POST /api/v4/users": "no no no no no no no no yes no",
  "GET /api/v4/job": "no no no no no no no no no yes",
} as const;

chromium(
  "the matrix of permissions has every operation with its callers, is filtered, and leads to the reference",
  async () => {
    const { paths }: Json = await (await fetch(`${outpost.origin}/-/openapi.json`)).json();
    const operations = Object.values(paths as Json).flatMap((methods) =>
      Object.values(methods as Json).filter((each) => (each as Json).operationId !== undefined),
    ) as Json[];
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/permissions", "Outpost");
    await signInByToken(page, token);
    await pressButton(page, `Show all ${operations.length} operations`);
    await holds(page, `document.querySelectorAll('tbody tr').length === ${operations.length}`);
    const shown = Object.fromEntries(
      await page.$$eval("tbody tr", (all) =>
        all.map((row) => {
          const [operation, ...marks] = [...row.querySelectorAll("td")].map((cell) =>
            (cell.querySelector("a, .heard") ?? cell).textContent.replace("if ", ""),
          );
          return [operation, marks.join(" ")];
        }),
      ),
    );
    expect(Object.fromEntries(Object.keys(rows).map((name) => [name, shown[name]]))).toEqual(rows);
    await browser.expectFaultless();

    await page.select("search select", "job");
    const ofJobs = operations.filter(({ security }) => security.some((scheme: Json) => "jobToken" in scheme));
    await holds(page, `document.querySelectorAll('tbody tr').length === ${ofJobs.length}`);
    await page.select("search select", "anonymous");
    await page.type("search input", "get /projects/{id}/users");
    await sees(page, "td", "GET /api/v4/projects/{id}/users");
    await holds(page, "new URLSearchParams(location.search).get('search') === 'get /projects/{id}/users'");
    const texts = await page.$$eval("tbody a", (all) => all.map(({ textContent }) => textContent));
    expect(texts.every((text) => /^GET .*projects.*users/.test(text))).toBe(true);
    await page.reload();
    await sees(page, "td", "GET /api/v4/projects/{id}/users");
    expect(await page.$eval("search select", ({ value }) => value)).toBe("anonymous");
    await page.click("tbody a");
    await holds(page, "document.querySelector('.opblock.is-open')");
    expect(browser.takeErrors()).toEqual([]);
  },
);
