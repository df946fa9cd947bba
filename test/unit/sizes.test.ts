import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const linesMax = 300;

/** Files of the sources and tests that git keeps. */
const files = (await Bun.$`git ls-files --cached --others --exclude-standard src test`.cwd(root).text())
  .trim()
  .split("\n");

test("no file of the sources has more than 300 lines", async () => {
  const code = files.filter((file) => /^src\/.*\.tsx?$/.test(file));
  expect(code.length).toBeGreaterThan(500);
  const long: string[] = [];
  for (const file of code) {
    const source = Bun.file(join(root, file));
    if ((await source.exists()) && (await source.text()).trimEnd().split("\n").length > linesMax) long.push(file);
  }
  expect(long).toEqual([]);
});
