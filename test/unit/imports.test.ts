import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { circlesIn, importsIn, readImports } from "../support/checks/import-graph.ts";
import { chapters, chaptersOf, importFault, layers, recordsFaults } from "../support/checks/layers.ts";
import { stateIn } from "../support/checks/module-state.ts";

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

test("each file imports only what its layer and its chapter build on", async () => {
  const folders = (await readdir(source, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(layers).sort());
  const inModules = (await readdir(join(source, "modules"), { withFileTypes: true })).filter((each) =>
    each.isDirectory(),
  );
  expect(inModules.map(({ name }) => name).sort()).toEqual([...Object.keys(chapters), "kernel"].sort());
  const faults = [...graph].flatMap(([file, imported]) =>
    imported.flatMap((each) => {
      const fault = importFault(file, each);
      return fault === undefined ? [] : [`${file} imports ${each}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

test("each chapter imports from every other one that the table lets it build on", () => {
  const used = [...graph].flatMap(([file, imported]) =>
    imported.flatMap((each) => chaptersOf(file, each)?.join(" imports ") ?? []),
  );
  const listed = Object.entries(chapters).flatMap(([chapter, others]) =>
    others.map((other) => `${chapter} imports ${other}`),
  );
  expect([...new Set(used)].sort()).toEqual(listed.sort());
});

test.each([
  ["lib/text/text.ts", "domain/page.ts", "lib does not build on domain"],
  ["store/store.ts", "modules/index.ts", "store does not build on modules"],
  ["modules/core/users/service.ts", "http/entry/router.ts", "modules does not build on http"],
  ["modules/members/members/service.ts", "modules/ci/runners/index.ts", "the chapter members does not build on ci"],
  [
    "modules/ci/runners/service.ts",
    "modules/core/users/bots.ts",
    "modules/core/users is used through its index.ts and its records",
  ],
  ["modules/core/users/service.ts", "modules/ci/runners/records.ts", undefined],
  ["modules/core/users/service.ts", "modules/ci/runners/records-managers.ts", undefined],
  ["store/store.ts", "modules/ci/runners/records.ts", "store does not build on modules"],
  ["seed/organisation.ts", "store/store.ts", "store is used through its index.ts"],
  ["modules/ci/runners/service.ts", "modules/core/users/index.ts", undefined],
  ["modules/ci/runners/service.ts", "modules/ci/runners/parts/records.ts", undefined],
  ["modules/ci/runners/service.ts", "modules/kernel/context.ts", undefined],
] as const)("%s imports %s: %p", (file, imported, fault) => {
  expect(importFault(file, imported)).toBe(fault);
});

test("records import no services, and of other modules only records", () => {
  expect([...graph.keys()].filter((file) => /\/records(?:-[a-z0-9-]+)?\.ts$/.test(file)).length).toBeGreaterThan(40);
  expect([...graph.keys()].flatMap((file) => recordsFaults(graph, file))).toEqual([]);
});

test("no module shows its records through its index.ts: they have one door", async () => {
  const found: string[] = [];
  for (const file of graph.keys()) {
    if (!/^modules\/[^/]+\/[^/]+\/index\.ts$/.test(file)) continue;
    if (/^export [^;]* from "\.\/records[a-z-]*\.ts";/m.test(await Bun.file(join(source, file)).text()))
      found.push(file);
  }
  expect(found).toEqual([]);
});

test("a records file is refused for what the files of its folder import", () => {
  const [file, words, service, other] = ["records", "words", "service-a", "index"].map(
    (name) => `modules/ci/a/${name}.ts`,
  );
  const faultsOf = (...imported: [string, string[]][]) => recordsFaults(new Map(imported), file as string);
  expect(faultsOf([file as string, ["store/index.ts", "modules/kernel/view.ts", "modules/core/b/records.ts"]])).toEqual(
    [],
  );
  expect(faultsOf([file as string, [words as string]], [words as string, [file as string]])).toEqual([]);
  expect(faultsOf([file as string, [service as string, other as string]])).toEqual([
    `${file} imports ${service}: records lie below services`,
    `${file} imports ${other}: records lie below services`,
  ]);
  expect(faultsOf([file as string, [words as string]], [words as string, ["modules/core/b/index.ts"]])).toEqual([
    `${words} imports modules/core/b/index.ts: records lie below other modules`,
  ]);
});

test("only the matcher and the OpenAPI document know Elysia", async () => {
  const found: string[] = [];
  for (const file of graph.keys()) {
    if (/\bfrom "@?elysia/.test(await Bun.file(join(source, file)).text())) found.push(file);
  }
  expect(found.sort()).toEqual(["http/entry/matcher.ts", "http/openapi/index.ts"]);
});

test("the kernel imports no module", () => {
  const kernel = [...graph].filter(([file]) => file.startsWith("modules/kernel/"));
  const modules = kernel.flatMap(([file, imported]) =>
    imported.filter((each) => /^modules\/(?!kernel\/)/.test(each)).map((each) => `${file} imports ${each}`),
  );
  expect(kernel.length).toBeGreaterThan(5);
  expect(modules).toEqual([]);
});

test("the composition root names no service", async () => {
  const found: string[] = [];
  for (const file of graph.keys()) {
    if (!file.startsWith("server/")) continue;
    const [name] = /\.get\([A-Z]\w*\)/.exec(await Bun.file(join(source, file)).text()) ?? [];
    if (name !== undefined) found.push(`${file}: ${name}`);
  }
  expect(found).toEqual([]);
});

test("modules keep no state beside their services", async () => {
  const found: string[] = [];
  for (const file of graph.keys()) {
    if (!/^(modules|http)\//.test(file)) continue;
    for (const name of stateIn(await Bun.file(join(source, file)).text())) found.push(`${file}: ${name}`);
  }
  // Turns of the event loop, file descriptors and memory that no call keeps are the process's: all servers in it share them.
  const ofProcess = [
    "http/body/body-bytes.ts: nextTurn",
    "http/body/in-turn.ts: largeBodies",
    "http/body/multipart.ts: largeBodies",
    "http/limits/held-connections.ts: heldConnections",
    "http/responses/json-stream.ts: scratchBuffer",
  ];
  expect(found.toSorted()).toEqual(ofProcess);
});

test.each([
  ["let count = 0;", true],
  ["export let count: number | undefined;", true],
  ["const queue = new OneAtATime();", true],
  ["export const queue: Queue = new Queue<string>(4);", true],
  ["const known = new Map<string, number>();", true],
  ["const known: string[] = [];", true],
  ["const cache = { hits: 0 };\nfunction hit() {\n  cache.hits += 1;\n}", true],
  ["const cache = { hits: 0 };\nfunction hit() {\n  cache.hits++;\n}", true],
  ["const known = [1];\nconst add = (id: number) => known.push(id);", true],
  ["const known: Record<string, string> = { a: b };\nfunction keep() {\n  known[name] = text;\n}", true],
  ["class A {\n  readonly #made = new WeakMap<object, string>();\n}", true],
  ["const words: ReadonlySet<string> = new Set([\n  one,\n]);", false],
  ["const word = new RegExp(`^a$`);", false],
  ["const limits = { count: 1 };\nif (limits.count === 1 || limits.count >= 2) run(() => limits.count);", false],
  ['export const Queue = serviceKey("queue", () => new OneAtATime());', false],
  ["function run() {\n  const queue = new OneAtATime();\n  let count = 0;\n}", false],
])("state beside services is found: %j", (text, isState) => {
  expect(stateIn(text).length > 0).toBe(isState);
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
