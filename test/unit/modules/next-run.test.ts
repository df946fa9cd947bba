import { describe, expect, test } from "bun:test";
import { isCronPattern, nextRunAt } from "../../../src/modules/ci/pipeline-schedules/next-run.ts";
import { zoneNamed } from "../../../src/modules/ci/pipeline-schedules/time-zones.ts";

const runs = (cron: string, zone: string, from: string, count: number) => {
  const found: (string | null)[] = [];
  let at = Date.parse(from);
  while (found.length < count) {
    const next = nextRunAt(cron, zone, at);
    found.push(next);
    if (next === null) break;
    at = Date.parse(next);
  }
  return found;
};

describe("the next run", () => {
  test("is the next minute that fits, in the time of the zone", () => {
    expect(runs("0 1 * * *", "UTC", "2026-03-07T01:00:00Z", 1)).toEqual(["2026-03-08T01:00:00.000Z"]);
    expect(runs("0 1 * * 1-5", "Tokyo", "2026-03-06T00:00:00Z", 1)).toEqual(["2026-03-08T16:00:00.000Z"]);
    expect(runs("@daily", "Etc/UTC", "2026-03-06T00:00:00Z", 1)).toEqual(["2026-03-07T00:00:00.000Z"]);
    expect(runs("0 0 31 2 *", "UTC", "2026-03-06T00:00:00Z", 1)).toEqual([null]);
  });

  test("leaves out a time that the clocks skip", () => {
    expect(runs("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 1)).toEqual(["2026-03-09T06:30:00.000Z"]);
  });

  test("comes once where the clocks show a time twice", () => {
    expect(runs("30 1 * * *", "Eastern Time (US & Canada)", "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z",
    ]);
  });
});

test.each([
  ["0 1 * * *", true],
  [" 0  1 * JAN-MAR MON ", true],
  ["@hourly", true],
  ["@reboot", false],
  ["0 1 * *", false],
  ["0 1 * * * *", false],
  ["60 1 * * *", false],
  ["x y z a b", false],
  ["", false],
])("%p is a cron pattern: %p", (text, expected) => {
  expect(isCronPattern(text)).toBe(expected);
});

test("zones have the names of the IANA database, and the platform's own", () => {
  expect(zoneNamed("Europe/Vienna")).toBe("Europe/Vienna");
  expect(zoneNamed("Pacific Time (US & Canada)")).toBe("America/Los_Angeles");
  expect(zoneNamed("constructor")).toBeUndefined();
  expect(zoneNamed("Mars")).toBeUndefined();
});

test("every own name stands for a zone that the runtime knows", async () => {
  const text = await Bun.file(`${import.meta.dir}/../../../src/modules/ci/pipeline-schedules/time-zones.ts`).text();
  const names = [...text.matchAll(/^ {2}(?:"([^"]+)"|(\w+)): "/gm)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  expect(names.length).toBeGreaterThan(140);
  expect(names.filter((name) => zoneNamed(name) === undefined)).toEqual([]);
});
