import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { circlesIn, importsIn, readImports } from "../support/checks/import-graph.ts";

const source = join(import.meta.dir, "../../src");
const graph = await readImports(source);

/** The folder that a circle of imports may not leave: that of the module, for other files their own. */
function folderOf(file: string): string {
  const [, module] = /^(modules\/(?!kernel\/)[^/]+\/[^/]+)\//.exec(file) ?? [];
  return module ?? dirname(file);
}

test("no circle of imports, types included, crosses the folder of a module", () => {
  expect(graph.size).toBeGreaterThan(900);
  expect(circlesIn(graph).filter((circle) => new Set(circle.map(folderOf)).size > 1)).toEqual([]);
});

test("the kernel imports no module", () => {
  const kernel = [...graph].filter(([file]) => file.startsWith("modules/kernel/"));
  const modules = kernel.flatMap(([file, imported]) =>
    imported.filter((each) => /^modules\/(?!kernel\/)/.test(each)).map((each) => `${file} imports ${each}`),
  );
  expect(kernel.length).toBeGreaterThan(5);
  expect(modules).toEqual([]);
});

test("modules keep no state beside their services", async () => {
  const states =
    /^(?:export )?(?:let\b|const \w+(?:: [^=]+)? = (?:new (?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\}))|new WeakMap\b/m;
  const found: string[] = [];
  for (const file of graph.keys()) {
    if (file.startsWith("modules/") && states.test(await Bun.file(join(source, file)).text())) found.push(file);
  }
  expect(found).toEqual([]);
});

describe("the graph of imports", () => {
  test("has those of values, of types, of exports and of a running program", () => {
    const text = `import { a } from "./a.ts";
import type {
  B,
} from "../b.ts";
export { c } from "./x/c.ts";
import "./d.ts";
type E = import("./e.ts").E;
const f = await import("./f.ts");
import { g } from "g";`;
    const files = ["m/n/a.ts", "m/b.ts", "m/n/x/c.ts", "m/n/d.ts", "m/n/e.ts", "m/n/f.ts"];
    expect(importsIn(text, "m/n/file.ts")).toEqual(files);
  });

  test("shows files that import each other, if only through others", () => {
    const circles = circlesIn(
      new Map([
        ["start", ["a", "x"]],
        ["a", ["b", "gone"]],
        ["b", ["c"]],
        ["c", ["a", "end"]],
        ["x", ["y", "a"]],
        ["y", ["x"]],
        ["end", []],
      ]),
    );
    expect(circles).toEqual([
      ["a", "b", "c"],
      ["x", "y"],
    ]);
  });
});
