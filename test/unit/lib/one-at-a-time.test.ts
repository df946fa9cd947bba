import { expect, test } from "bun:test";
import { OneAtATime } from "../../../src/lib/one-at-a-time.ts";

test("a piece of work begins when the one before has ended, successfully or not, after a pause for others", async () => {
  const line = new OneAtATime();
  const happened: string[] = [];
  const first = Promise.withResolvers<void>();
  const works = [
    line.run(async () => {
      happened.push("first begins");
      await first.promise;
      happened.push("first ends");
      throw new Error("failed");
    }),
    line.run(() => {
      happened.push("second");
      setImmediate(() => happened.push("other"));
      return 2;
    }),
    line.run(() => {
      happened.push("third");
      return 3;
    }),
  ];
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(happened).toEqual(["first begins"]);
  first.resolve();
  const results = await Promise.allSettled(works);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.status))).toEqual([
    "rejected",
    2,
    3,
  ]);
  expect(happened).toEqual(["first begins", "first ends", "second", "other", "third"]);
});
