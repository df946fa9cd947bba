import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  openConsole,
  pressButton,
  sees,
  signInByForm,
  signInByToken,
} from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { rootToken } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);
const password = "a password for the console";

let outpost: OutpostProcess;
let project: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: password },
    inMemory: true,
  });
  project = await api("POST", "/projects", { name: "loom", initialize_with_readme: true });
}, 120_000);

afterAll(() => outpost?.stop());

async function api(method: string, path: string, json?: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}${path.startsWith("/-/") ? "" : "/api/v4"}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, rootToken);
  await sees(browser.page, "h1", heading);
  return browser;
}

chromium("no page can put the console into a frame", async () => {
  await using browser = await openConsole(outpost);
  const { page } = browser;
  for (const path of ["/-/console/", "/-/api"]) {
    await page.setContent(`<iframe src="${outpost.origin}${path}"></iframe>`);
    await until("the frame has ended to load", async () =>
      page.frames().some((frame) => frame.url().startsWith("chrome-error:")),
    );
    expect(browser.takeErrors().join()).toMatch(
      /violates the following Content Security Policy directive: "frame-ancestors/,
    );
  }
});

chromium("a page of somebody else cannot act for who is signed in", async () => {
  await using browser = await signedIn("/", "Overview");
  const { page } = browser;
  const stolen = `${outpost.origin}/api/v4/groups?name=Stolen&path=stolen`;
  await page.goto("about:blank");
  await page.setContent(`<form method="post" action="${stolen}"></form>`);
  const [answer] = await Promise.all([page.waitForNavigation(), page.evaluate("document.forms[0].submit()")]);
  expect(answer?.status()).toBe(401);
  expect(await api("GET", "/groups?search=stolen")).toEqual([]);
  // The visitor did nothing, and goes on.
  await browser.open("/people", "People");
});

const script = `<script>fetch("/-/it-has-run")</script><img src="/-/it-has-run" onerror="fetch('/-/it-has-run')">`;
const html = `<!doctype html><title>it has run</title>${script}`;
const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><title>it has run</title><script>fetch("/-/it-has-run")</script></svg>`;

/** The addresses of files that users made, as links to them have them. */
async function makeUserFiles(): Promise<readonly string[]> {
  const files = `/projects/${project.id}/repository/files`;
  for (const [name, content] of [
    ["page.html", html],
    ["drawing.svg", drawing],
  ]) {
    await api("POST", `${files}/${name}`, { branch: "main", commit_message: "Add a page [skip ci]", content });
  }
  const snippet = await api("POST", "/snippets", {
    title: "Page",
    visibility: "public",
    file_name: "p.html",
    content: html,
  });
  const generic = `/projects/${project.id}/packages/generic/page/1.0.0/page.html`;
  const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "text/html" };
  const uploaded = await fetch(`${outpost.origin}/api/v4${generic}`, { method: "PUT", headers, body: html });
  expect(uploaded.status).toBe(201);
  return [`${files}/page.html/raw`, `${files}/drawing.svg/raw`, `/snippets/${snippet.id}/raw`, generic];
}

chromium("a file of a user that is HTML does not run, whatever shows it", async () => {
  const paths = await makeUserFiles();
  await using browser = await signedIn("/", "Overview");
  const { page } = browser;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const path of paths) {
    const address = `${outpost.origin}/api/v4${path}`;
    const { status, headers } = await fetch(address, { headers: { "PRIVATE-TOKEN": rootToken } });
    const policy = headers.get("content-security-policy");
    expect({ path, status, policy }).toEqual({ path, status: 200, policy: "default-src 'none'; sandbox" });
    await page.goto(address).catch((error: unknown) => {
      // A download ends the way to the page.
      if (!String(error).includes("ERR_ABORTED")) throw error;
    });
    expect(asked).toContain(new URL(address).pathname);
  }
  await browser.open(`/projects/${project.id}/files?file=page.html`, "page.html");
  await sees(page, "pre", "<title>it has run</title>");
  expect(asked.filter((path) => path.includes("it-has-run"))).toEqual([]);
  browser.takeErrors();
  await browser.expectFaultless();
});

describe("two tabs", () => {
  chromium("sign out together", async () => {
    await using browser = await signedIn("/people", "People");
    const other = await anotherTab(browser.page, "/sessions", "Sessions");
    await pressButton(other, "Sign out");
    await sees(browser.page, "[role=status]", "Your session has ended");
    await signInByForm(browser.page, "root", password);
    await sees(browser.page, "h1", "People");
  });

  chromium("go on together when one of them signs in anew, as the same user or as another", async () => {
    await api("POST", "/users", {
      username: "ben",
      name: "Ben",
      email: "ben@p.example",
      password,
      skip_confirmation: true,
    });
    await using browser = await openConsole(outpost);
    const { page } = browser;
    await browser.open("/", "Outpost");
    const other = await anotherTab(page, "/", "Outpost");
    await signInByForm(page, "root", password);
    await sees(page, "h1", "Overview");
    await sees(other, "h1", "Overview");
    const loadedAt = await page.evaluate("performance.timeOrigin");
    await openLink(other, "root");
    await api("POST", "/features/looms", { value: true });
    await page.evaluate("document.querySelector('nav a[href$=\"/flags\"]').click()");
    await pressButton(page, "Delete");
    await pressButton(page, "Delete", "dialog");
    await sees(page, ".empty", "All flags are at their defaults");
    expect(await page.evaluate("performance.timeOrigin")).toBe(loadedAt);
    await openLink(other, "ben");
    await sees(page, "header", "@ben");
    // Ben is no administrator, and the page is about flags.
    await sees(page, "[role=alert]", "403 Forbidden");
    expect(browser.takeErrors().join()).toInclude("403");
    await browser.expectFaultless();
  });
});

/** Signs in by a link, as `outpost console-link` makes it, in a browser that may be signed in. */
async function openLink(page: Page, login: string): Promise<void> {
  const { url } = await api("POST", "/-/sign-in-codes", { user: login });
  await page.goto("about:blank");
  await page.goto(url);
  await sees(page, "header", `@${login}`);
}

async function anotherTab(page: Page, path: string, heading: string): Promise<Page> {
  const other = await page.browser().newPage();
  await other.goto(`${outpost.origin}/-/console${path}`);
  await sees(other, "h1", heading);
  return other;
}
