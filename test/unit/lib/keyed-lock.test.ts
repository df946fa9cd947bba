import { expect, test } from "bun:test";
import { KeyedLock } from "../../../src/lib/keyed-lock.ts";

const welcome = () => undefined;

test("writers of one repository run one after the other, those of others in parallel", async () => {
  const turns = new KeyedLock();
  const seen: string[] = [];
  const gates = new Map([["a1", Promise.withResolvers<void>()]]);
  const write = (key: string, name: string) =>
    turns.write(key, welcome, async () => {
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

test("a writer that fails blocks no other", async () => {
  const turns = new KeyedLock();
  const failing = turns.write("a", welcome, () => Promise.reject(new Error("broken")));
  const next = turns.write("a", welcome, async () => "written");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("written");
});

test("a refused caller is refused while it waits or arrives; the current writer may be awaited", async () => {
  const turns = new KeyedLock();
  let isRefused = false;
  const refuse = () => {
    if (isRefused) throw new Error("refused");
  };
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = turns.write("a", refuse, () => {
    begun.resolve();
    return gate.promise;
  });
  await begun.promise;
  const waiting = turns.write("a", refuse, async () => "never").catch((error: Error) => error.message);
  isRefused = true;
  let isQuiet = false;
  const quiet = turns.writersDone("a").then(() => {
    isQuiet = true;
  });
  await expect(turns.write("a", refuse, async () => "never")).rejects.toThrow("refused");
  expect(isQuiet).toBe(false);
  gate.resolve();
  await writing;
  expect(await waiting).toBe("refused");
  await quiet;
  isRefused = false;
  expect(await turns.write("a", refuse, async () => "written")).toBe("written");
});

test("readers may be awaited, and others start meanwhile", async () => {
  const turns = new KeyedLock();
  const gate = Promise.withResolvers<void>();
  const reading = turns.read("a", () => gate.promise);
  let isOver = false;
  const over = turns.readersDone("a").then(() => {
    isOver = true;
  });
  expect(await turns.read("a", async () => "read")).toBe("read");
  expect(isOver).toBe(false);
  gate.resolve();
  await Promise.all([reading, over]);
  expect(isOver).toBe(true);
});
