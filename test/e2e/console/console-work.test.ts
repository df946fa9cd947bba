import { afterAll, beforeAll, expect, test } from "bun:test";
import { installChromium } from "../../support/browser/browser.ts";
import {
  type ConsoleBrowser,
  holds,
  openConsole,
  pressButton,
  sees,
  signInByToken,
  typeInto,
} from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../support/ci/runner.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;
let project: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password of tests" },
    inMemory: true,
  });
  const group = await api("POST", "/groups", { name: "Mill", path: "mill" });
  project = await api("POST", "/projects", { name: "loom", namespace_id: group.id, initialize_with_readme: true });
  await api("POST", "/users", { username: "kofi", name: "Kofi", email: "kofi@mill.example", reset_password: true });
  await api("POST", `/projects/${project.id}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: "main", commit_message: "Add CI" },
    content: "stages: [build, test]\nweave: { stage: build, script: [make] }\nlook: { stage: test, script: [make] }\n",
  });
  // The commit started one, whose jobs a runner would take first.
  await api("POST", `/projects/${project.id}/pipelines/1/cancel`);
}, 120_000);

afterAll(() => outpost?.stop());

async function api(method: string, path: string, json?: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signedIn(path: string, heading: string): Promise<ConsoleBrowser> {
  const browser = await openConsole(outpost);
  await browser.open(path, "Outpost");
  await signInByToken(browser.page, token);
  await sees(browser.page, "h1", heading);
  return browser;
}

/** Follows the link with a text, as a reader does. */
async function follow({ page }: ConsoleBrowser, text: string): Promise<void> {
  const link = `[...document.querySelectorAll("main a")].find((each) => each.textContent.trim() === ${JSON.stringify(text)})`;
  await holds(page, link);
  await page.evaluate(`${link}.click()`);
}

chromium("the tree opens down to a project, and its files are read", async () => {
  await using browser = await signedIn("/projects", "Groups and projects");
  const { page } = browser;
  await sees(page, "summary", "Mill");
  await page.click("summary");
  await follow(browser, "loom");
  await sees(page, "h1", "loom");
  await sees(page, "pre", "# loom");
  await follow(browser, "Files");
  await follow(browser, ".gitlab-ci.yml");
  await sees(page, "pre", "weave");
  await browser.expectFaultless();
  await page.goBack();
  await sees(page, "h1", "Files");
});

chromium("a member is added, with the role that was chosen", async () => {
  await using browser = await signedIn(`/projects/${project.id}/members`, "Members");
  const { page } = browser;
  await pressButton(page, "Add a member");
  await typeInto(page, 'dialog[open] [name="username"]', "kofi");
  await page.select('dialog[open] [name="access_level"]', "30");
  await browser.expectFaultless();
  await pressButton(page, "Add", "dialog");
  await sees(page, "td", "Kofi");
  await sees(page, "td", "developer");
});

chromium("an issue is created, gets a note and is closed", async () => {
  await using browser = await signedIn(`/projects/${project.id}/issues`, "Issues");
  const { page } = browser;
  await sees(page, ".empty", "No issue fits");
  await pressButton(page, "New issue");
  await typeInto(page, 'dialog[open] [name="title"]', "<b>Too blue</b>");
  await typeInto(page, 'dialog[open] [name="description"]', "At night.");
  await browser.expectFaultless();
  await pressButton(page, "Create", "dialog");
  await sees(page, "h1 bdi", "<b>Too blue</b>");
  await sees(page, "main p", "At night.");
  await typeInto(page, '[name="body"]', "It is the lamp.");
  await pressButton(page, "Add the note");
  await sees(page, "td", "It is the lamp.");
  await browser.expectFaultless();
  await pressButton(page, "Close");
  await sees(page, "dd", "closed");
  expect((await api("GET", `/projects/${project.id}/issues/1`)).state).toBe("closed");
});

chromium("a pipeline runs, and the log of its job grows in its colours", async () => {
  await using browser = await signedIn(`/projects/${project.id}/pipelines`, "Pipelines");
  const { page } = browser;
  await pressButton(page, "Run a pipeline");
  await holds(page, `document.querySelector('dialog[open] [name="ref"]')`);
  await pressButton(page, "Run", "dialog");
  await sees(page, "h2", "build");
  await sees(page, "h2", "test");
  await browser.expectFaultless();
  const runner = await makeRunner(outpost, {}, token);
  const job = await takeJob(outpost, runner);
  await follow(browser, "weave");
  await sees(page, "h1", "weave");
  await sees(page, ".empty", "The job has written nothing yet");
  await appendLog(outpost, job, "one \u001b[31mred\u001b[0m thread\n", 0);
  await sees(page, ".log .ansi-red", "red");
  await appendLog(outpost, job, "the loom sings é\n", 24);
  await sees(page, ".log", "the loom sings é");
  await browser.expectFaultless();
  await finishJob(outpost, job, { state: "success" });
  await sees(page, "dd", "success");
  const whole = JSON.stringify("one red thread\nthe loom sings é\n");
  await holds(page, `document.querySelector(".log").textContent === ${whole}`);
  // The browser itself writes of an answer that says that nothing is new.
  expect(browser.takeErrors().every((error) => error.includes("416"))).toBe(true);
});

chromium("a test alert comes, a second one is counted with it, and becomes an incident", async () => {
  await using browser = await signedIn(`/projects/${project.id}/alerts`, "Alerts");
  const { page } = browser;
  await pressButton(page, "New integration");
  await typeInto(page, 'dialog[open] [name="name"]', "Watch");
  await browser.expectFaultless();
  await pressButton(page, "Create", "dialog");
  await sees(page, "td", "Watch");
  await pressButton(page, "Send a test alert");
  await sees(page, "td", "Test alert");
  await pressButton(page, "Send a test alert");
  await holds(
    page,
    `[...document.querySelectorAll('td[data-head="Events"]')].some((each) => each.textContent === "2")`,
  );
  await browser.expectFaultless();
  await pressButton(page, "Acknowledge");
  await sees(page, "td", "acknowledged");
  await pressButton(page, "Open an incident");
  await follow(browser, "Incident");
  await sees(page, "h1", "Test alert");
});

chromium("error tracking is switched on, and the page says how programs report", async () => {
  await using browser = await signedIn(`/projects/${project.id}/errors`, "Errors");
  const { page } = browser;
  await sees(page, "[role=alert]", "404 Error Tracking Setting Not Found");
  browser.takeErrors();
  await pressButton(page, "Error tracking");
  await holds(page, `document.querySelector('dialog [name="active"]')?.checked`);
  await browser.expectFaultless();
  await pressButton(page, "Store", "dialog");
  await sees(page, ".empty", "A Sentry SDK reports with a key");
  await browser.expectFaultless();
});

chromium("a pipeline gets variables, and says what its jobs need", async () => {
  await api("PUT", `/projects/${project.id}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: "main", commit_message: "Weave at once [skip ci]" },
    content:
      "stages: [build, test]\nweave: { stage: build, script: [make] }\nlook: { stage: test, needs: [weave], script: [make] }\n",
  });
  await using browser = await signedIn(`/projects/${project.id}/pipelines`, "Pipelines");
  const { page } = browser;
  await pressButton(page, "Run a pipeline");
  await typeInto(page, 'dialog [name="variables"]', "COLOUR=red, blue\nSHAFTS = 8");
  await browser.expectFaultless();
  await pressButton(page, "Run", "dialog");
  await sees(page, "section[aria-label='Stage test'] .help", "needs weave");
  await browser.expectFaultless();
  const [{ id }] = await api("GET", `/projects/${project.id}/pipelines`);
  expect(await api("GET", `/projects/${project.id}/pipelines/${id}/variables`)).toMatchObject([
    { key: "COLOUR", value: "red, blue" },
    { key: "SHAFTS", value: " 8" },
  ]);
});

chromium("a runner is created, and its command registers it", async () => {
  await using browser = await signedIn("/runners", "Runners");
  const { page } = browser;
  await pressButton(page, "New runner");
  await typeInto(page, 'dialog [name="description"]', "attic");
  await typeInto(page, 'dialog [name="tag_list"]', "wool, silk");
  await browser.expectFaultless();
  await pressButton(page, "Create", "dialog");
  await holds(page, `document.querySelector('dialog [aria-label="Command"]')`);
  await browser.expectFaultless();
  const command = await page.$eval('dialog [aria-label="Command"]', (area) => area.value);
  const made = / --token (\S+) /.exec(command)?.[1];
  const verified = await fetch(`${outpost.origin}/api/v4/runners/verify`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: made }),
  });
  expect(verified.status).toBe(200);
  await page.keyboard.press("Escape");
  await sees(page, "td", "attic");
  const [{ id }] = (await api("GET", "/runners/all")).filter((each: Json) => each.description === "attic");
  expect((await api("GET", `/runners/${id}`)).tag_list).toEqual(["silk", "wool"]);
  await browser.open(`/projects/${project.id}/runners`, "Runners");
  await sees(page, "td", "attic");
});

chromium("an alert shows what was sent, and is found by its status", async () => {
  const alerts = `/projects/${project.id}/alert_management_http_integrations`;
  const { id } = await api("POST", alerts, { name: "Mine" });
  await api("POST", `${alerts}/${id}/test_alert`, { payload: { title: "Thread is torn", shaft: 7 } });
  await using browser = await signedIn(`/projects/${project.id}/alerts?search=torn`, "Alerts");
  const { page } = browser;
  await sees(page, "td", "Thread is torn");
  await pressButton(page, "Show");
  await holds(page, `document.querySelector('dialog [aria-label="Payload"]')?.value.includes('"shaft": 7')`);
  await browser.expectFaultless();
  await page.keyboard.press("Escape");
  await browser.open(`/projects/${project.id}/alerts?search=torn&status=resolved`, "Alerts");
  await sees(page, ".empty", "No alert fits");
  await pressButton(page, "Address and key");
  await holds(page, `document.querySelector('dialog [aria-label="Command"]')`);
  const command = await page.$eval('dialog [aria-label="Command"]', (area) => area.value);
  expect((await Bun.$`sh -c ${command}`.quiet()).exitCode).toBe(0);
  expect((await api("GET", `/projects/${project.id}/alert_management_alerts?search=Disk`)).length).toBe(1);
  await browser.expectFaultless();
});

chromium("a project is deleted once its path is typed", async () => {
  const made = await api("POST", "/projects", { name: "old" });
  await using browser = await signedIn(`/projects/${made.id}`, "old");
  const { page } = browser;
  await pressButton(page, "Delete");
  await holds(page, "document.querySelector('dialog[open] button.danger')?.disabled");
  await typeInto(page, "dialog[open] input", made.path_with_namespace);
  await browser.expectFaultless();
  await pressButton(page, "Delete", "dialog");
  await sees(page, "h1", "Groups and projects");
  const { status } = await fetch(`${outpost.origin}/api/v4/projects/${made.id}`, {
    headers: { "PRIVATE-TOKEN": token },
  });
  expect(status).toBe(404);
});
