import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { fitsPassword, hashPassword, limitConcurrency } from "../../../src/domain/password.ts";

test("hashing runs at most once per core, a bounded number waits, and further requests are refused", async () => {
  let running = 0;
  let most = 0;
  const begun: (() => void)[] = [];
  const run = limitConcurrency(async (input: string) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => begun.push(resolve));
    running -= 1;
    return input;
  }, 3);
  const cores = availableParallelism();
  const asked = Array.from({ length: cores }, (_, at) => run(String(at)));
  while (begun.length < cores) await Promise.resolve();
  asked.push(run("a"), run("b"), run("c"));
  expect(run("too many")).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 });
  for (let done = 0; done < cores + 3; done += 1) {
    while (begun.length === 0) await Promise.resolve();
    begun.shift()?.();
  }
  expect((await Promise.all(asked)).slice(-3)).toEqual(["a", "b", "c"]);
  expect(most).toBe(cores);
  expect(await hashPassword("after all of them", "long")).toStartWith("$argon2id$");
});

test("a password that is gone with the process costs less, and its digest says how much", async () => {
  const digest = await hashPassword("a password of tests", "short");
  expect(digest).toStartWith("$argon2id$v=19$m=1024,t=1,");
  expect(await fitsPassword("a password of tests", digest)).toBe(true);
  expect(await fitsPassword("another of tests", digest)).toBe(false);
});
