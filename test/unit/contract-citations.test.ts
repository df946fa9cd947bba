import { expect, test } from "bun:test";
import { basename } from "node:path";
import { Glob } from "bun";

const root = `${import.meta.dir}/../..`;

/** Name of a page of the contract → numbers of its sections. */
async function sectionsOfPages(): Promise<Map<string, Set<string>>> {
  const pages = new Map<string, Set<string>>();
  for await (const path of new Glob("src/**/contract/*.md").scan(root)) {
    const text = await Bun.file(`${root}/${path}`).text();
    const numbers = [...text.matchAll(/^#+ (\d+(?:\.\d+)*)\b/gm)].map(([, number]) => number as string);
    pages.set(basename(path, ".md"), new Set(numbers));
  }
  return pages;
}

test("comments cite sections of the contract that exist", async () => {
  const pages = await sectionsOfPages();
  const citation = new RegExp(`\\b(${[...pages.keys()].join("|")}) (\\d+(?:\\.\\d+)*)\\b`, "g");
  const wrong: string[] = [];
  let count = 0;
  for await (const path of new Glob("{src,test}/**/*.ts").scan(root)) {
    for (const [text, page, number] of (await Bun.file(`${root}/${path}`).text()).matchAll(citation)) {
      count += 1;
      const isThere = pages.get(page as string)?.has(number as string) === true;
      if (!isThere) wrong.push(`${path}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(200);
});

test("comments cite no document that is not in the repository", async () => {
  const wrong: string[] = [];
  for await (const path of new Glob("src/**/*.ts").scan(root)) {
    const found = (await Bun.file(`${root}/${path}`).text()).match(
      /\((?:seed|design|performance|architecture) \d[\d.]*/,
    );
    if (found !== null) wrong.push(`${path}: ${found[0]}`);
  }
  expect(wrong).toEqual([]);
});
