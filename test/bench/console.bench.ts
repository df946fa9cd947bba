import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { installChromium } from "../support/browser/browser.ts";
import { pages, pagesOf } from "../support/browser/console-addresses.ts";
import { holds, openConsole, sees, signInByToken } from "../support/browser/console-browser.ts";
import type { Json } from "../support/checks/json.ts";
import { executable } from "../support/process/outpost-process.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, digits, median, printTable, verdict } from "./support/figures.ts";
import { startMeasuredOutpost } from "./support/outpost.ts";

const worker = join(import.meta.dir, "support/scale-worker.ts");
/** Scale of the seed and number of users at `--scale 1`; `--scale 10` has 300,000 issues and a million users. */
const size = { seed: 100, users: 100_000 };
const laterVisits = 5;
const scrolledRows = 10_000;
const rowsOfPart = 50;

async function run({ scale }: { readonly scale: number }): Promise<void> {
  const missing = await installChromium();
  if (missing !== undefined) {
    console.log(`no browser: ${missing}`);
    return;
  }
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const token = await fill(data, scale);
  await using server = await startMeasuredOutpost([], data);
  const ask = async (path: string): Promise<Json> => {
    const answer = await fetch(`${server.origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": token } });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const addresses = await addressesOf(ask);
  await using browser = await openConsole(server);
  await browser.open("/", "Outpost");
  await signInByToken(browser.page, token);
  await sees(browser.page, "h1", "Overview");
  // A page of which nobody looks at each request: that would be part of what is measured.
  const page = await browser.page.browser().newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await measurePages(page, server.origin, addresses);
  await measureScrolling(page, server.origin);
  console.log(`  memory of the server: ${digits(server.rssMb())} MB`);
}

/** Makes the store → the token of an administrator. */
async function fill(data: string, scale: number): Promise<string> {
  const seed = String(Math.min(1_000, Math.round(size.seed * scale)));
  const { accounts } = JSON.parse(await textOf([executable, "seed", "--json", "--data", data, "--scale", seed]));
  await textOf([process.execPath, worker, "fill-people", data, String(Math.round(size.users * scale))]);
  return accounts[0].token;
}

async function textOf(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "ignore" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return text;
}

/** Every page, those of a project for the one with the most issues of the first hundred. */
async function addressesOf(ask: (path: string) => Promise<Json>): Promise<readonly string[]> {
  const projects: Json[] = await ask("/projects?order_by=id&sort=asc&per_page=100");
  const { id, namespace } = projects.reduce((most, each) =>
    each.open_issues_count > most.open_issues_count ? each : most,
  );
  const [newest] = await ask("/projects/9/pipelines?per_page=1");
  const [job] = await ask("/projects/9/jobs?per_page=1");
  return [
    ...pages.map(([path]) => path).filter((path) => path !== "/nothing"),
    ...pagesOf(namespace.id, id).map(([path]) => path),
    `/projects/9/pipelines/${newest.id}`,
    `/projects/9/jobs/${job.id}`,
    ...["/people?filter=blocked", "/people?search=quist", "/people?filter=admins", "/projects?search=a"],
    ...["/issues?state=closed", "/issues?search=the", "/audit?kind=User", "/data/issues", "/data/audit-events"],
  ];
}

/** Whether a page shows rows of its first list, or that it has none; `isWhole`: everything that it asks for. */
const looks = `
  const busy = () => document.querySelector("[aria-busy=true]") !== null || document.body.innerText.includes("Loading…");
  const isThere = () => !["", "Not found"].includes(document.querySelector("main h1")?.textContent ?? "");
  const isWhole = () => isThere() && !busy();
  const hasRows = () => isThere() && (document.querySelector("main :is(tbody td:not([colspan]), .empty)") !== null || !busy());`;

interface View {
  readonly rowsMs: number;
  readonly wholeMs: number;
}

/** Resolves to a view, in milliseconds since `beganMs`, at the frames that show it. */
const viewSince = (beganMs: string) => `new Promise((resolve) => {
  ${looks}
  let rowsMs;
  const look = () => {
    const ms = performance.now() - (${beganMs});
    if (rowsMs === undefined && hasRows()) rowsMs = ms;
    if (isWhole()) resolve({ rowsMs, wholeMs: ms });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

interface Asked {
  readonly name: string;
  readonly ms: number;
}

const slowestCall = `performance.getEntriesByType("resource")
  .filter(({ name }) => !name.includes("/assets/") && !name.endsWith("/events"))
  .map(({ name, duration }) => ({ name: name.slice(location.origin.length), ms: duration }))
  .sort((one, other) => other.ms - one.ms)[0]`;

/** Opened by its address with nothing cached. */
async function measureFirst(page: Page, address: string): Promise<View & { readonly slowest: Asked }> {
  await page.setCacheEnabled(false);
  await page.goto(address);
  const view = (await page.evaluate("firstView")) as View;
  const slowest = ((await page.evaluate(slowestCall)) ?? { name: "", ms: Number.NaN }) as Asked;
  await page.setCacheEnabled(true);
  return { ...view, slowest };
}

/** Opened by a link of another page. */
async function measureLater(page: Page, address: string): Promise<View> {
  const follow = (to: string) => `{
    const link = Object.assign(document.createElement("a"), { href: ${JSON.stringify(to)} });
    document.querySelector("main").append(link);
    link.click();
  }`;
  await page.evaluate(follow("/-/console/nothing"));
  await sees(page, "h1", "Not found");
  return (await page.evaluate(
    `{ const beganMs = performance.now(); ${follow(address)}; ${viewSince("beganMs")} }`,
  )) as View;
}

async function measurePages(page: Page, origin: string, addresses: readonly string[]): Promise<void> {
  await page.evaluateOnNewDocument(`globalThis.firstView = ${viewSince("0")}`);
  const measured: { path: string; first: View; later: View; slowest: Asked }[] = [];
  for (const path of addresses) {
    const address = `${origin}/-/console${path}`;
    const { slowest, ...first } = await measureFirst(page, address);
    const visits: View[] = [];
    for (let visit = 0; visit < laterVisits; visit += 1) visits.push(await measureLater(page, address));
    const later = {
      rowsMs: median(visits.map(({ rowsMs }) => rowsMs)),
      wholeMs: median(visits.map(({ wholeMs }) => wholeMs)),
    };
    measured.push({ path, first, later, slowest });
  }
  printTable(
    ["page", "first rows ms", "whole ms", "later rows ms", "whole ms", "slowest call ms", "call"],
    measured
      .toSorted((one, other) => other.first.rowsMs - one.first.rowsMs)
      .map(({ path, first, later, slowest }) => [
        path,
        ...[first.rowsMs, first.wholeMs, later.rowsMs, later.wholeMs, slowest.ms].map(digits),
        slowest.name,
      ]),
  );
  const most = (of: "first" | "later") => Math.max(...measured.map((each) => each[of].rowsMs));
  console.log(`  first rows of the slowest page, nothing cached: ${verdict(most("first"), "at most", 1_000, " ms")}`);
  console.log(`  and by a link: ${verdict(most("later"), "at most", 100, " ms")}`);
}

/** The heap of the page after a tenth of the rows, and after all of them. */
async function measureScrolling(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/-/console/people`);
  const session = await page.createCDPSession();
  const heapMb = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return ((await page.metrics()).JSHeapUsedSize ?? Number.NaN) / 1e6;
  };
  const scrollTo = async (rows: number) => {
    for (let parts = 0; parts < rows / rowsOfPart; ) {
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      await holds(page, `document.querySelectorAll("tbody").length > ${parts}`);
      parts = (await page.evaluate("document.querySelectorAll('tbody').length")) as number;
    }
    return heapMb();
  };
  await sees(page, "td", "person");
  const early = await scrollTo(scrolledRows / 10);
  const late = await scrollTo(scrolledRows);
  const kept = await page.$$eval("tbody tr:not(:has(td[colspan]))", (all) => all.length);
  console.log(`  heap of the page after ${scrolledRows / 10} rows: ${digits(early)} MB, and ${kept} rows are kept`);
  console.log(`  after ${scrolledRows} rows: ${verdict(late / early, "at most", 1.5, " times as much")}`);
}

export const bench: Bench = {
  title: "pages of the console in Chromium: milliseconds to the first rows, and the heap after 10,000 rows",
  run,
};
