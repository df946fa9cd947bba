import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "../support/browser.ts";
import { holds, openConsole, sees, signInByToken } from "../support/console-browser.ts";
import { type OutpostProcess, startOutpost } from "../support/outpost-process.ts";

/** Ignored by git; what the last run saw. */
const artifacts = join(import.meta.dir, "../artifacts");
const token = "token-for-the-console-of-tests";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password for the console" };

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

/** Address and heading of each page. */
const pages = [
  ["/", "Overview"],
  ["/people", "People"],
  ["/people/1", "Administrator"],
  ["/sessions", "Sessions"],
  ["/welcome", "Choose a password"],
  ["/storage-moves", "Storage moves"],
  ["/storage-moves?kind=snippet", "Storage moves"],
  ["/flags", "Feature flags"],
  ["/audit", "Audit events"],
  ["/mails", "Mails"],
  ["/jobs", "Background jobs"],
  ["/unknown-calls", "Unknown calls"],
  ["/settings", "Application settings"],
  ["/permissions", "Permissions"],
  ["/sandbox", "Sandbox"],
  ["/nothing", "Not found"],
] as const;

const servers: Record<string, OutpostProcess> = {};

beforeAll(async () => {
  if (missing !== undefined) return;
  await mkdir(artifacts, { recursive: true });
  servers.demo = await startOutpost({ verb: "demo", args: ["--rng-seed", "1"], env, inMemory: true });
  servers.empty = await startOutpost({ env, inMemory: true });
}, 120_000);

afterAll(async () => {
  for (const server of Object.values(servers)) await server.stop();
});

for (const [store, width, scheme] of [
  ["demo", 1280, "light"],
  ["demo", 1280, "dark"],
  ["demo", 390, "light"],
  ["demo", 390, "dark"],
  ["empty", 390, "light"],
] as const) {
  chromium(`each page is without fault ${width} pixels wide, ${scheme}, with the ${store} store`, async () => {
    await using browser = await openConsole(servers[store] as OutpostProcess);
    const { page } = browser;
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await browser.open("/", "Outpost");
    await browser.expectFaultless();
    await signInByToken(page, token);
    await sees(page, "h1", "Overview");
    for (const [path, heading] of pages) {
      await browser.open(path, heading);
      await holds(page, "!document.body.innerText.includes('Loading…') && !document.querySelector('[aria-busy=true]')");
      await browser.expectFaultless();
      const name = `console${path.replaceAll(/[^a-z0-9]/g, "-")}-${store}-${width}-${scheme}.png`;
      await page.screenshot({ path: join(artifacts, name), fullPage: true });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    }
  });
}
