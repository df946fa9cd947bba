import { afterAll, beforeAll, expect, test } from "bun:test";
import { installChromium } from "../../support/browser/browser.ts";
import { holds, openConsole, sees, signInByToken } from "../../support/browser/console-browser.ts";
import type { Json } from "../../support/checks/json.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const token = "token-for-the-console-of-tests";
const missing = await installChromium();
const chromium = test.skipIf(missing !== undefined);

let outpost: OutpostProcess;
let issue: Json;
let lastNote: Json;

beforeAll(async () => {
  if (missing !== undefined) return;
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "a password of tests" },
    inMemory: true,
  });
  const loom = await post("/projects", { name: "loom" });
  issue = await post(`/projects/${loom.id}/issues`, { title: "Hums" });
  const notes = `/projects/${loom.id}/issues/${issue.iid}/notes`;
  for (let number = 1; number <= 60; number += 1) lastNote = await post(notes, { body: `Note ${number}` });
}, 120_000);

afterAll(() => outpost?.stop());

async function post(path: string, json: object): Promise<Json> {
  const response = await fetch(`${outpost.origin}/api/v4${path}`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify(json),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

chromium("a link to a note leads over the sign-in to the note, and the next link needs none", async () => {
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await page.goto(`${issue.web_url}#note_${lastNote.id}`);
  await sees(page, "h1", "Outpost");
  await signInByToken(page, token);
  await sees(page, "h1", "Hums");
  await holds(page, `document.activeElement.id === "note_${lastNote.id}"`);
  expect(new URL(page.url()).pathname).toBe(`/-/console/projects/${issue.project_id}/issues/${issue.iid}`);
  await browser.expectFaultless();
  await page.goto(`${outpost.origin}/root/loom/-/issues/1`);
  await sees(page, "h1", "Hums");
});

chromium("an address without anything says so after the sign-in, and never leads to another host", async () => {
  await using browser = await openConsole(outpost);
  const { page } = browser;
  await page.goto(`${outpost.origin}/root/none`);
  await signInByToken(page, token);
  await sees(page, "h1", "Not found");
  await sees(page, "main", "/root/none");
  browser.takeErrors();
  for (const to of ["//else.example/root", ".else.example/", "https://else.example/"]) {
    await page.goto(`${outpost.origin}/-/console/go?${new URLSearchParams({ to })}`);
    await sees(page, "h1", "Not found");
    browser.takeErrors();
  }
  await browser.expectFaultless();
});
