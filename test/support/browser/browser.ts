import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { installTool, type Missing } from "../process/system-tool.ts";
import { createTempFolder } from "../process/temp-folder.ts";

const chromium = "/usr/bin/chromium";

/** For the browser to start, and for anything on its page; far more than any machine should need. */
const waitMsMax = 300_000;

/** Nothing that Chromium does of its own accord: no look for updates, for hosts of its maker, or for a first user. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, installed where that is possible; otherwise the printed reason why not. */
export function installChromium(): Promise<Missing> {
  return installTool([chromium, "--version"], "chromium");
}

/** A page in a browser of its own, and what went wrong in it. Disposing ends the browser and removes its profile. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Addresses outside of `origin` that the page asked for; none of them was let through. */
  readonly foreign: readonly string[];
  /** Errors on the console: scripts that threw, what the content policy refused, addresses that failed. */
  readonly errors: readonly string[];
}

/**
 * Headless Chromium with a new profile that may talk to `origin` and nobody else; behind `wrapper`, a command that runs the
 * words after it, where there is one.
 */
export async function openBrowser(origin: string, wrapper: readonly string[] = []): Promise<WatchedPage> {
  const { launch } = await import("puppeteer-core");
  const profile = await createTempFolder();
  let browser: Browser | undefined;
  const end = async () => {
    await browser?.close();
    await profile.remove();
  };
  try {
    const executablePath = join(profile.path, "start");
    await writeFile(executablePath, `#!/bin/sh\nexec ${[...wrapper, chromium].join(" ")} "$@"\n`, { mode: 0o755 });
    browser = await launch({
      ...{ executablePath, headless: true, userDataDir: profile.path, args: flags, pipe: true },
      ...{ timeout: waitMsMax, protocolTimeout: waitMsMax },
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(waitMsMax);
    await page.setViewport({ width: 1280, height: 900 });
    const foreign: string[] = [];
    const errors: string[] = [];
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith("data:");
      if (!isOwn) foreign.push(request.url());
      void (isOwn ? request.continue() : request.abort());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    return { page, foreign, errors, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Clicks what `selector` finds, once it is there. The element itself is told, since the page scrolls and unfolds while it is
 * used: a click by coordinates would sometimes land beside it.
 */
export async function press(page: Page, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector, { visible: true });
  await element?.evaluate((found) => (found as unknown as { click(): void }).click());
}
