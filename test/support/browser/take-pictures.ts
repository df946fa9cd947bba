/** `bun run pictures`: the pictures of the README, from the demo as the executable serves it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../checks/json.ts";
import { startOutpost } from "../process/outpost-process.ts";
import { installChromium } from "./browser.ts";
import { holds, openConsole, sees, signInByToken } from "./console-browser.ts";

const folder = join(import.meta.dir, "../../../src/console/pictures");
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

async function api(method: string, path: string, json?: object): Promise<Json> {
  const answer = await fetch(`${demo.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const ci = `stages: [build, test, package, deploy]
compile: { stage: build, script: [make] }
docs: { stage: build, script: [make docs] }
unit tests: { stage: test, needs: [compile], script: [make test] }
contract tests: { stage: test, needs: [compile], script: [make contract] }
lint: { stage: test, needs: [], script: [make lint] }
bundle: { stage: package, needs: [unit tests, contract tests], script: [make bundle] }
handbook: { stage: package, needs: [docs], script: [make handbook] }
staging: { stage: deploy, needs: [bundle], script: [make staging] }
production: { stage: deploy, needs: [staging, handbook], when: manual, script: [make production] }
`;

/** Starts a pipeline with several stages and needs, in the demo's ingest service. */
async function startPipeline(): Promise<string> {
  const project = "/projects/9";
  const { default_branch: branch } = await api("GET", project);
  const tree: Json[] = await api("GET", `${project}/repository/tree?per_page=100`);
  const method = tree.some(({ path }) => path === ".gitlab-ci.yml") ? "PUT" : "POST";
  await api(method, `${project}/repository/files/.gitlab-ci.yml`, {
    branch,
    commit_message: "Release in stages",
    content: ci,
  });
  const [{ id }] = await api("GET", `${project}/pipelines?ref=${branch}`);
  return `${project}/pipelines/${id}`;
}

await browser.open("/", "Outpost");
await signInByToken(page, token);
await sees(page, "h1", "Overview");
// Requests of a server that is used, so that the plot shows something.
for (let round = 0; round < 40; round += 1) {
  await Promise.all(["/users", "/projects", "/issues?scope=all"].map((path) => api("GET", path)));
  await Bun.sleep(250);
}
await holds(page, "document.querySelector('canvas')");
await page.screenshot({ path: join(folder, "overview.png") });
await browser.open(await startPipeline(), "Pipeline");
// The demo runs some seconds at each need: the picture shows what has ended, runs and waits.
await holds(page, "document.querySelectorAll('.stages section').length === 4");
await holds(page, "document.querySelector('[aria-label=\"Stage package\"]').textContent.includes('running')");
await page.screenshot({ path: join(folder, "pipeline.png") });
await demo.stop();
