import { expect, test } from "bun:test";
import { Turns } from "../../../src/repositories/turns.ts";

const readOnly = "The repository is temporarily read-only. Please try again later.";

test("writers of one repository go one after the other, those of others beside them", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const gates = new Map([["a1", Promise.withResolvers<void>()]]);
  const write = (key: string, name: string) =>
    turns.write(key, async () => {
      seen.push(`${name} begins`);
      await gates.get(name)?.promise;
      seen.push(`${name} ends`);
    });
  const [first, second, other] = [write("a", "a1"), write("a", "a2"), write("b", "b1")];
  await other;
  expect(seen).toEqual(["a1 begins", "b1 begins", "b1 ends"]);
  gates.get("a1")?.resolve();
  await Promise.all([first, second]);
  expect(seen.slice(3)).toEqual(["a1 ends", "a2 begins", "a2 ends"]);
});

test("a writer that fails holds nobody up", async () => {
  const turns = new Turns();
  const failing = turns.write("a", () => Promise.reject(new Error("broken")));
  const next = turns.write("a", async () => "written");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("written");
});

test("read-only time waits for who is writing, refuses who waits or comes, and ends", async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = turns.write("a", () => {
    begun.resolve();
    return gate.promise;
  });
  await begun.promise;
  const waiting = turns.write("a", async () => "never").catch((error: Error) => error.message);
  const time = turns.makeReadOnly("a");
  expect([turns.isReadOnly("a"), turns.isReadOnly("b"), turns.makeReadOnly("a")]).toEqual([true, false, undefined]);
  let isQuiet = false;
  const quiet = time?.writersDone.then(() => {
    isQuiet = true;
  });
  await expect(turns.write("a", async () => "never")).rejects.toThrow(readOnly);
  expect(isQuiet).toBe(false);
  gate.resolve();
  await writing;
  expect(await waiting).toBe(readOnly);
  await quiet;
  time?.end();
  expect(turns.isReadOnly("a")).toBe(false);
  expect(await turns.write("a", async () => "written")).toBe("written");
});

test("readers go on in read-only time, and may be waited for", async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<void>();
  const reading = turns.read("a", () => gate.promise);
  const time = turns.makeReadOnly("a");
  let isOver = false;
  const over = time?.readersDone().then(() => {
    isOver = true;
  });
  expect(await turns.read("a", async () => "read")).toBe("read");
  expect(isOver).toBe(false);
  gate.resolve();
  await Promise.all([reading, over]);
  expect(isOver).toBe(true);
});
