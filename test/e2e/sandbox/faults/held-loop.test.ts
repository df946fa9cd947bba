import { expect, test } from "bun:test";
import { knownCredentials } from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { delayOpening, installStrace } from "../../../support/process/strace.ts";

const missing = await installStrace();

test.skipIf(missing !== undefined)(
  `the log names an operation that holds the event loop, and the metrics count it${missing ?? ""}`,
  async () => {
    await using outpost = await startOutpost({ env: knownCredentials });
    await outpost.saw("Ctrl-C");
    const holds = async () => {
      const text = await (await fetch(`${outpost.origin}/-/metrics`)).text();
      const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
      return [read("outpost_event_loop_holds_total"), read("outpost_event_loop_longest_hold_seconds")] as const;
    };
    const [before] = await holds();
    {
      // The figures of the process are read without a promise.
      using _ = await delayOpening(outpost.pid, "/proc/self/limits", 3_000);
      await holds();
    }
    const [count, longest] = await holds();
    expect(count).toBeGreaterThan(before);
    expect(longest).toBeGreaterThan(1);
    await outpost.saw("the event loop was held");
    const { stderr } = await outpost.stop();
    const lines = stderr.split("\n").filter((line) => line.includes("the event loop is blocked"));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "warn", under_way: ["GET /-/metrics"] }),
    );
  },
);
