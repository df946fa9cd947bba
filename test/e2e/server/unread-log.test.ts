import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { knownCredentials, rootToken } from "../../support/process/fault-client.ts";
import { executable, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { openUnreadPipe } from "../../support/process/unread-pipe.ts";

/** A second start with another token logs a warning, which the level `warn` shows too. */
const otherToken = { ...knownCredentials, OUTPOST_ROOT_TOKEN: "another-token-0123456789" };

async function statusesOf(origin: string, count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let turn = 0; turn < count; turn += 1) {
    const answer = await fetch(`${origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": rootToken } });
    await answer.arrayBuffer();
    statuses.add(answer.status);
  }
  return statuses;
}

/** A store that a start warns about, when it is given `otherToken`. */
async function makeStore(folder: string): Promise<void> {
  const first = await startOutpost({ env: knownCredentials, dataFolder: folder });
  await first.stop();
}

test.each([
  ["info", "waits", "json"],
  ["info", "does not wait", "text"],
  ["warn", "waits", "text"],
  ["warn", "does not wait", "json"],
])("at %s, a full pipe that %s as %s log blocks neither answers nor the stop", async (level, kind, format) => {
  await using folder = await createTempFolder();
  await makeStore(folder.path);
  await using pipe = await openUnreadPipe({ waits: kind === "waits" });
  pipe.fill();
  await using outpost = await startOutpost({
    env: otherToken,
    dataFolder: folder.path,
    args: ["--log-level", level, "--log-format", format],
    stderr: pipe.writer,
  });
  expect(await statusesOf(outpost.origin, 100)).toEqual(new Set([200]));
  expect((await fetch(`${outpost.origin}/-/liveness`)).status).toBe(200);
  expect(await outpost.stop()).toMatchObject({ exitCode: 0, signal: null });
});

test("requests fill the pipe of the log, and it is read again: answers continue, and no line is lost or out of order", async () => {
  await using pipe = await openUnreadPipe({ waits: true });
  await using outpost = await startOutpost({ env: knownCredentials, stderr: pipe.writer });
  expect(await statusesOf(outpost.origin, 600)).toEqual(new Set([200]));
  let text = "";
  const requests = () => [...text.matchAll(/^\{.*"time":"([^"]+)".*"route":"\/user".*\}$/gm)].map(([, time]) => time);
  while (requests().length < 600) {
    text += pipe.read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(requests()).toEqual(requests().toSorted());
  expect(await outpost.stop()).toMatchObject({ exitCode: 0 });
});

test("lines that a full disk does not take are counted in the metrics", async () => {
  const disk = openSync("/dev/full", "w");
  try {
    await using outpost = await startOutpost({ env: knownCredentials, stderr: disk });
    await statusesOf(outpost.origin, 50);
    const dropped = async () => {
      const text = await (await fetch(`${outpost.origin}/-/metrics`)).text();
      return Number(/^outpost_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
    };
    // Lines leave a moment after the answers.
    while ((await dropped()) < 50) {}
    expect(await outpost.stop()).toMatchObject({ exitCode: 0 });
  } finally {
    closeSync(disk);
  }
});

test("a terminal that is paused by Ctrl-S blocks neither answers nor the stop", async () => {
  await using folder = await createTempFolder();
  let text = "";
  const ready = Promise.withResolvers<string>();
  const child = Bun.spawn([executable, "serve", "--port", "0", "--data", folder.path], {
    env: { PATH: process.env.PATH ?? "", ...knownCredentials },
    terminal: {
      data: (_, bytes) => {
        text += new TextDecoder().decode(bytes);
        const origin = /listening on (\S+).*Ctrl-C/s.exec(text)?.[1];
        if (origin !== undefined) ready.resolve(origin);
      },
    },
  });
  try {
    const origin = await ready.promise;
    child.terminal?.write("\x13");
    expect(await statusesOf(origin, 100)).toEqual(new Set([200]));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
    child.terminal?.close();
  }
});
