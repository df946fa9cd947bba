import { expect, test } from "bun:test";
import { join } from "node:path";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { startOnTerminal } from "../../support/process/terminal.ts";

const code = /\/-\/console\/#code=(\w+)/;

async function signInStatus(origin: string, text: string): Promise<number> {
  const response = await fetch(`${origin}/-/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code: code.exec(text)?.[1] }),
  });
  await response.text();
  return response.status;
}

test("console-link makes an address on a stopped store and through a running server", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  const link = (...args: string[]) => runOutpost(["console-link", ...args, "--data", dataFolder]);
  {
    await using first = await startOutpost({ dataFolder });
    const running = await link();
    expect(running.stdout).toStartWith(`${first.origin}/-/console/#code=`);
    expect(await signInStatus(first.origin, running.stdout)).toBe(201);
    expect(await signInStatus(first.origin, running.stdout)).toBe(401);
    const refused = await link("--token", "opx-00000000000000000000");
    expect([refused.exitCode, refused.stderr]).toEqual([4, expect.stringContaining("answered 401 Unauthorized")]);
    await first.stop();
  }
  const stopped = await link("1");
  expect(stopped.stdout).toMatch(code);
  await using second = await startOutpost({ dataFolder });
  expect(await signInStatus(second.origin, stopped.stdout)).toBe(201);
});

test("the first start prints an address that signs root in once, on a terminal only", async () => {
  await using folder = await createTempFolder();
  const data = (name: string) => ["--data", join(folder.path, name)];
  {
    await using first = startOnTerminal(["serve", "--port", "0", ...data("terminal")]);
    const text = await first.saw(/Ctrl-C/);
    const origin = /listening on (http\S+)/.exec(text)?.[1] ?? "";
    expect(await signInStatus(origin, text)).toBe(201);
  }
  await using logged = await startOutpost({ dataFolder: join(folder.path, "a log") });
  await logged.saw("Ctrl-C");
  expect(logged.stderr()).not.toMatch(code);
  const named = /^ {2}console {6}outpost (console-link --data '(.+)') /m.exec(logged.stderr());
  expect(named?.[2]).toBe(logged.dataFolder);
  const { stdout } = await runOutpost(["console-link", "--data", named?.[2] ?? ""]);
  expect(await signInStatus(logged.origin, stdout)).toBe(201);
});

test("later starts, and one without a console, print no address that signs somebody in", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  {
    await using first = await startOutpost({ dataFolder });
    await first.stop();
  }
  await using second = await startOutpost({ dataFolder });
  await using closed = await startOutpost({ args: ["--no-console"] });
  for (const quiet of [second, closed]) {
    await quiet.saw("Ctrl-C");
    expect(quiet.stderr()).not.toMatch(/console-link|#code=/);
  }
  expect((await fetch(`${closed.origin}/-/session`)).status).toBe(404);
  const byVariable = await startOutpost({ env: { OUTPOST_CONSOLE: "false" } });
  expect((await fetch(`${byVariable.origin}/-/session`)).status).toBe(404);
  await byVariable.stop();
});
