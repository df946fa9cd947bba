import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "puppeteer-core";
import type { OutpostProcess } from "../process/outpost-process.ts";
import { openBrowser, type WatchedPage } from "./browser.ts";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** A browser at the console of a server. */
export interface ConsoleBrowser extends WatchedPage {
  /** Opens an address below the console, as a link from elsewhere would, and waits for its heading. */
  open(path: string, heading: string): Promise<void>;
  /** The errors of the browser's console so far; those that a test meant to cause are not counted again. */
  takeErrors(): string[];
  /** Fails for a script or request that failed, a request to another host, and what axe finds on the page. */
  expectFaultless(): Promise<void>;
}

export async function openConsole({ origin }: Pick<OutpostProcess, "origin">): Promise<ConsoleBrowser> {
  const browser = await openBrowser(origin);
  const { page, foreign, errors } = browser;
  const forgotten = new Set<string>();
  return {
    ...browser,
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
    takeErrors: () => {
      const taken = errors.filter((error) => !forgotten.has(error));
      for (const error of taken) forgotten.add(error);
      return taken;
    },
    async open(path, heading) {
      await page.goto(`${origin}/-/console${path}`);
      await sees(page, "h1", heading);
    },
    async expectFaultless() {
      expect({ foreign, errors: errors.filter((error) => !forgotten.has(error)) }).toEqual({ foreign: [], errors: [] });
      expect(await violationsOn(page)).toEqual([]);
    },
  };
}

const pollMs = 50;
/** Far more than any machine should need, and less than a test may take. */
const waitMsMax = 20_000;

/**
 * Waits until a JavaScript expression is true in the page. Each look goes through the debugger: what puppeteer itself puts
 * into pages to wait there makes code of text, which the console's Trusted Types refuse.
 */
export async function holds(page: Page, expression: string): Promise<void> {
  const deadlineMs = performance.now() + waitMsMax;
  for (;;) {
    // Between two documents there is none to look at.
    const isTrue = await page.evaluate(`Boolean(${expression})`).catch(() => false);
    if (isTrue === true) return;
    if (performance.now() > deadlineMs) {
      throw new Error(`${expression} stays false at ${page.url()}: ${await page.evaluate("document.body.innerText")}`);
    }
    await Bun.sleep(pollMs);
  }
}

/** Waits until something that fits the selector shows a text. */
export async function sees(page: Page, selector: string, text: string): Promise<void> {
  const [css, wanted] = [JSON.stringify(selector), JSON.stringify(text)];
  await holds(page, `[...document.querySelectorAll(${css})].some((each) => each.textContent.includes(${wanted}))`);
}

/** Presses the button with a text, below what fits the selector, once it is there. */
export async function pressButton(page: Page, text: string, within = "body"): Promise<void> {
  const [css, wanted] = [JSON.stringify(`${within} button`), JSON.stringify(text)];
  const button = `[...document.querySelectorAll(${css})].find((each) => each.textContent.trim() === ${wanted})`;
  await holds(page, button);
  await page.evaluate(`${button}.click()`);
}

/** Types into a field, once it is there. */
export async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await holds(page, `document.querySelector(${JSON.stringify(selector)})`);
  await page.type(selector, text);
}

/** Signs in by the form, at whatever address the page is. */
export async function signInByForm(page: Page, login: string, password: string): Promise<void> {
  await typeInto(page, 'input[name="login"]', login);
  await typeInto(page, 'input[name="password"]', password);
  await pressButton(page, "Sign in");
}

/** As `signInByForm`, with a token: attempts with one login are few in a minute. */
export async function signInByToken(page: Page, token: string): Promise<void> {
  await pressButton(page, "Use an access token");
  await typeInto(page, 'input[name="token"]', token);
  await pressButton(page, "Sign in");
}

/** The content policy lets no script of others in: axe comes through the debugger, past the page. */
const allTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The findings of axe on a page, by rules with one of the tags, or by those that are named. */
export async function violationsOn(
  page: Page,
  runOnly: { readonly type: "tag" | "rule"; readonly values: string[] } = { type: "tag", values: allTags },
): Promise<string[]> {
  if ((await page.evaluate("'axe' in globalThis")) !== true) await page.evaluate(axe);
  return page.evaluate(async (wanted) => {
    interface Finding {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { axe: tool } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ readonly violations: readonly Finding[] }> };
    };
    const { violations } = await tool.run({ runOnly: wanted });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, runOnly);
}
