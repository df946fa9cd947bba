import { expect, test } from "bun:test";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { OverBudget, WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { RefFiles } from "../../../src/git/ref-files.ts";
import { Refs } from "../../../src/git/refs.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const oidOf = (at: number) => at.toString(16).padStart(40, "0");
const header = "# pack-refs with: peeled fully-peeled sorted \n";

async function withPacked(text: string, work: (refs: Refs, path: string) => Promise<void>): Promise<void> {
  await using folder = await createTempFolder();
  const { path } = folder;
  await mkdir(`${path}/refs/heads`, { recursive: true });
  await mkdir(`${path}/refs/tags`, { recursive: true });
  await writeFile(`${path}/packed-refs`, text);
  await work(new Refs(path, new RefFiles()), path);
}

/** The steps that work takes, and its result. */
async function counted<R>(work: () => Promise<R>): Promise<{ steps: number; result: R }> {
  const budget = new WorkBudget();
  const result = await withBudget(budget, work);
  return { steps: budget.steps, result };
}

const many = 100_000;
const nameOf = (at: number) => `v${String(at).padStart(7, "0")}`;
const manyText = header + Array.from({ length: many }, (_, at) => `${oidOf(at)} refs/tags/${nameOf(at)}\n`).join("");

test("a file of packed refs is read once, in turn with others, however many look-ups there are", async () => {
  await withPacked(manyText, async (refs) => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const lookUp = () => Promise.all([99_999, 5, 12_345].map((at) => refs.read(`refs/tags/${nameOf(at)}`)));
    const first = await counted(lookUp);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(first.result).toEqual([oidOf(99_999), oidOf(5), oidOf(12_345)]);
    expect(first.steps).toBeGreaterThan(manyText.length / 10);
    expect((await counted(lookUp)).steps).toBe(0);
    expect(await refs.read("refs/tags/v")).toBeUndefined();
  });
});

test("a page of a list costs what it shows, a search of it each name", async () => {
  await withPacked(manyText, async (refs) => {
    await refs.read("refs/tags/x");
    const page = await counted(async () => (await refs.list("refs/tags/", "refs/tags/")).slice(50_000, 50_002));
    expect(page.result).toEqual([50_000, 50_001].map((at) => [nameOf(at), oidOf(at)]));
    expect(page.steps).toBeLessThan(1_000);
    const search = await counted(async () =>
      (await refs.list("refs/tags/", "refs/tags/")).filter((name) => name.endsWith("77777")),
    );
    expect(search.result.map(([name]) => name)).toEqual([nameOf(77_777)]);
    expect(search.steps).toBeGreaterThan(many * 10);
  });
});

test("a file that is too large for one request is refused before it is read", async () => {
  await withPacked(manyText, async (refs) => {
    const budget = new WorkBudget(manyText.length / 10);
    await expect(withBudget(budget, () => refs.read("refs/tags/x"))).rejects.toBeInstanceOf(OverBudget);
  });
});

test("lines in any order are found, the last one for a ref counts, and what is no ref does not", async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `${oidOf(at)} refs/heads/${nameOf((at * 7) % 5_000)}`);
  const odd = [
    `${oidOf(1)} refs/heads/a b`,
    `${"X".repeat(40)} refs/heads/x`,
    `${oidOf(1)} other/y`,
    "",
    `${oidOf(9)} refs/heads/${nameOf(0)}`,
  ];
  await withPacked([...lines, ...odd].join("\n"), async (refs) => {
    const list = await refs.list("refs/heads/", "refs/heads/");
    expect(list.size).toBe(5_000);
    expect([...list.keys()]).toEqual(Array.from({ length: 5_000 }, (_, at) => nameOf(at)));
    expect(list.get(nameOf(0))).toBe(oidOf(9));
    expect(list.get(nameOf(7))).toBe(oidOf(1));
    expect([list.get("x"), list.get("a b"), await refs.read("refs/heads/a b")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("loose and packed refs are one list, in the order of bytes", async () => {
  const packed = ["b", "d", "d-x", "d0", "f/a", "f/c", "\u{ffee}", "\u{1f600}"];
  const text = packed.map((name) => `${oidOf(1)} refs/heads/${name}\n`).join("");
  await withPacked(`${text}${oidOf(1)} refs/tags/b\n`, async (refs) => {
    const loose = ["a", "d", "f/b", "z", "\u{1f601}"];
    for (const name of loose) await refs.write(`refs/heads/${name}`, oidOf(2));
    await refs.write("refs/tags/a", oidOf(2));
    const list = await refs.list("refs/heads/", "refs/heads/");
    const wanted = [...new Set([...packed, ...loose])]
      .sort((one, other) => Buffer.from(one).compare(Buffer.from(other)))
      .map((name) => [name, oidOf(loose.includes(name) ? 2 : 1)] as const);
    expect([...list]).toEqual(wanted);
    for (let start = 0; start <= wanted.length; start += 1) {
      expect(list.slice(start, start + 3)).toEqual(wanted.slice(start, start + 3));
    }
    for (const [name, oid] of wanted) expect(list.get(name)).toBe(oid);
    expect([...(await refs.list("refs/"))].map(([name]) => name).slice(-3)).toEqual([
      `refs/heads/${wanted.at(-1)?.[0]}`,
      "refs/tags/a",
      "refs/tags/b",
    ]);
    expect(list.has("refs/tags/b")).toBe(false);
    const ways = ["b/c", "f", "f/a/b/c", "g", "d", "a/b"].map((name) => list.inTheWayOf(name));
    expect(ways).toEqual(["b", "f/a", "f/a", undefined, undefined, "a"]);
  });
});

test("what another program packs shows at once, and a deletion leaves all other lines", async () => {
  const peeled = `${header}${oidOf(1)} refs/tags/a\n^${oidOf(2)}\n${oidOf(3)} refs/tags/b\n`;
  await withPacked(peeled, async (refs, path) => {
    expect(await refs.read("refs/tags/b")).toBe(oidOf(3));
    await writeFile(`${path}/packed-refs.new`, peeled.replace(oidOf(3), oidOf(4)));
    await rename(`${path}/packed-refs.new`, `${path}/packed-refs`);
    expect(await refs.read("refs/tags/b")).toBe(oidOf(4));
    await refs.delete("refs/tags/a");
    expect(await readFile(`${path}/packed-refs`, "utf8")).toBe(`${header}${oidOf(4)} refs/tags/b\n`);
    expect([await refs.read("refs/tags/a"), await refs.read("refs/tags/b")]).toEqual([undefined, oidOf(4)]);
  });
});
