import { expect } from "bun:test";
import type { Page } from "puppeteer-core";

/** Long lists have the same controls in each row. */
const controlsMax = 60;

/**
 * Presses Tab over the whole page, or from the target of its skip link on: each control must get the focus, show it, and let
 * go of it.
 */
export async function expectReachedByKeyboard(page: Page, over: "main" | "body"): Promise<void> {
  const at = page.url();
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  if (over === "main") {
    await page.keyboard.press("Tab");
    expect({ at, first: await page.evaluate("document.activeElement.className") }).toEqual({ at, first: "skip" });
    await page.keyboard.press("Enter");
    expect({ at, target: await page.evaluate("document.activeElement.tagName") }).toEqual({ at, target: "MAIN" });
  }
  const stops = (await page.evaluate(noteFocus(over))) as number;
  for (let pressed = 0; pressed < stops; pressed += 1) await page.keyboard.press("Tab");
  expect({ at, ...((await page.evaluate(noted)) as Noted) }).toEqual({ at, missed: [], unseen: [] });
  await page.keyboard.press("Tab");
  // Behind the last control is the browser, or the page begins anew.
  const isStuck = await page.evaluate("walk.wanted.length > 0 && document.activeElement === walk.wanted.at(-1)");
  expect({ at, isStuck }).toEqual({ at, isStuck: false });
}

/** Notes in the page what gets the focus. Its value is how often Tab stops: a date has a stop for each of its parts. */
const noteFocus = (over: string) => `{
  const isReachable = (each) =>
    each.checkVisibility({ visibilityProperty: true }) && !each.matches(":disabled, [tabindex='-1']");
  const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
  const all = [...document.querySelector(${JSON.stringify(over)}).querySelectorAll(controls)].filter(isReachable);
  globalThis.walk = { wanted: all.slice(0, ${controlsMax}), reached: new Set(), unseen: [] };
  document.addEventListener("focusin", ({ target }) => {
    walk.reached.add(target);
    const { width, height } = target.getBoundingClientRect();
    if (getComputedStyle(target).outlineStyle === "none" || width * height === 0) walk.unseen.push(target.outerHTML);
  });
  walk.wanted.reduce((sum, { type }) => sum + (type === "date" ? 4 : 1), 0);
}`;

interface Noted {
  readonly missed: readonly string[];
  readonly unseen: readonly string[];
}

/** A live page may have replaced controls by others in the meantime. */
const noted = `({
  missed: walk.wanted.filter((each) => each.isConnected && !walk.reached.has(each)).map((each) => each.outerHTML),
  unseen: walk.unseen,
})`;
