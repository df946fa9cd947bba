/** `bun run pictures`: the pictures of the README, from the demo as the executable serves it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installChromium } from "./browser.ts";
import { holds, openConsole, sees, signInByToken } from "./console-browser.ts";
import type { Json } from "./json.ts";
import { startOutpost } from "./outpost-process.ts";

const folder = join(import.meta.dir, "../../src/console/pictures");
const token = "token-for-the-pictures-of-the-demo";
const size = { width: 1280, height: 860 };

const missing = await installChromium();
if (missing !== undefined) throw new Error(`no browser: ${missing}`);
await mkdir(folder, { recursive: true });
await using demo = await startOutpost({ command: "demo", env: { OUTPOST_ROOT_TOKEN: token } });
await using browser = await openConsole(demo);
const { page } = browser;
await page.setViewport(size);
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);

async function api(path: string): Promise<Json> {
  const answer = await fetch(`${demo.origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": token } });
  return answer.json();
}

/** A project of the demo with a pipeline that has jobs in several stages. */
async function findPipeline(): Promise<string> {
  for (const { id } of await api("/projects?per_page=100")) {
    const [pipeline] = await api(`/projects/${id}/pipelines?status=success`);
    if (pipeline !== undefined) return `/projects/${id}/pipelines/${pipeline.id}`;
  }
  throw new Error("the demo has no pipeline");
}

await browser.open("/", "Outpost");
await signInByToken(page, token);
await sees(page, "h1", "Overview");
// Requests of a server that is used, so that the plot shows something.
for (let round = 0; round < 40; round += 1) {
  await Promise.all(["/users", "/projects", "/issues?scope=all"].map(api));
  await Bun.sleep(250);
}
await holds(page, "document.querySelector('canvas')");
await page.screenshot({ path: join(folder, "overview.png") });
await browser.open(await findPipeline(), "Pipeline");
await holds(page, "document.querySelectorAll('.stages li').length > 0");
await page.screenshot({ path: join(folder, "pipeline.png") });
await demo.stop();
