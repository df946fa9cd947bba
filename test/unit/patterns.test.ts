import { expect, test } from "bun:test";
import { join } from "node:path";
import { check } from "recheck";
import ts from "typescript-5";

const src = join(import.meta.dir, "../../src");
/** Code of the server, which reads hostile texts; the commands of an operator and the console in the browser do not. */
const isServed = (file: string) => file.endsWith(".ts") && !/^(?:cli|console\/app)\//.test(file);
/** Each of these is linear, but the checker does not come to an end. */
const known = ["/\\b(?:opx|glrt|glcbt|glptt)-[\\w-]{16,}/g"];
const checkTimeMs = 60_000;

function patternsIn(file: string, source: string): { readonly place: string; readonly text: string }[] {
  const found: { place: string; text: string }[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      found.push({ place: `${file}:${tree.getLineAndCharacterOfPosition(node.pos).line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

async function isLinear(text: string): Promise<boolean> {
  const end = text.lastIndexOf("/");
  const { status } = await check(text.slice(1, end), text.slice(end + 1), { timeout: checkTimeMs });
  return status === "safe";
}

test("the checker tells linear patterns from others", async () => {
  expect(await isLinear("/-+/")).toBe(true);
  expect(await isLinear("/-+$/")).toBe(false);
  expect(await isLinear("/^(a|a)*$/")).toBe(false);
});

test("the time of each pattern of the server only grows with the length of its text", async () => {
  const slow: string[] = [];
  let count = 0;
  for (const file of new Bun.Glob("**/*.ts").scanSync(src)) {
    if (!isServed(file)) continue;
    for (const { place, text } of patternsIn(file, await Bun.file(join(src, file)).text())) {
      count += 1;
      if (!known.includes(text) && !(await isLinear(text))) slow.push(`${place} ${text}`);
    }
  }
  expect(count).toBeGreaterThan(200);
  expect(slow).toEqual([]);
}, 300_000);

/** Its functions cut what they get. */
const unicodeFile = "lib/text/unicode.ts";

test("no other file of the server calls Unicode algorithms, whose time may grow with the square of the length", async () => {
  const calls = /\.(?:normalize|localeCompare|toLocale\w+)\(|\bIntl\b/;
  const callers: string[] = [];
  for (const file of new Bun.Glob("**/*.ts").scanSync(src)) {
    if (isServed(file) && calls.test(await Bun.file(join(src, file)).text())) callers.push(file);
  }
  expect(callers).toEqual([unicodeFile]);
});
