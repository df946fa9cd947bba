import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { type TSchema, Type } from "@sinclair/typebox";
import { Glob } from "bun";
import { jobKind } from "../../../../src/modules/core/background-jobs/index.ts";
import { modules } from "../../../../src/modules/index.ts";
import { type ContextParts, createContext } from "../../../../src/modules/kernel/context.ts";
import { domainEvent, subscribe } from "../../../../src/modules/kernel/event.ts";
import { assembleModules, defineModule, type ModuleManifest } from "../../../../src/modules/kernel/module.ts";
import { requireNoFaults, verifyOperations } from "../../../../src/modules/kernel/module-faults.ts";
import { noContent, type Operation, ok, operation } from "../../../../src/modules/kernel/operation.ts";
import { areaOf } from "../../../../src/modules/kernel/operation-table.ts";
import { entryOf, registry } from "../../../../src/modules/kernel/registry.ts";
import { serviceKey } from "../../../../src/modules/kernel/service.ts";
import { collection, field, record } from "../../../../src/store/index.ts";

const shelves = collection("shelves", record({ id: field.whole }));
const dusting = jobKind({ kind: "dusting", run() {} });
const dusted = domainEvent("dusted");
const Shelves = serviceKey("shelves", () => []);
const airing = { name: "airing", schedule: { everyMs: 1 }, run() {} };

function get(path: string, body?: TSchema): Operation {
  const params = Type.Object({ id: Type.Integer(), shelf_id: Type.Integer() });
  const answer = body === undefined ? noContent() : ok(body);
  return operation({ method: "GET", path, summary: "Get it", who: "signed_in", params, answer, handle() {} });
}

const one = defineModule({ name: "one" });

/** A module with these operations, which are in `areas`. */
function withOperations(name: string, areas: readonly string[], ...operations: readonly Operation[]): ModuleManifest {
  return defineModule({ name, tag: "Shelves", areas, operations: async () => operations });
}

test("tags and operations follow the order of the modules", async () => {
  const [shelf, book, page] = [get("/shelf"), get("/book"), get("/page")];
  const { operations } = assembleModules([
    defineModule({ name: "one", operations: async () => ({ Shelves: [shelf], Books: [book] }) }),
    defineModule({ name: "without-operations" }),
    withOperations("two", ["page"], page),
  ]);
  expect(() => operations.all).toThrow("the operations are not loaded");
  expect(await operations.tags()).toEqual([
    { name: "Shelves", operations: [shelf, page] },
    { name: "Books", operations: [book] },
  ]);
  expect(await operations.loadAll()).toEqual([shelf, page, book]);
  expect(operations.all).toEqual([shelf, page, book]);
});

test("an area loads its own operations, and those of its modules whose paths are deep", async () => {
  const loaded: string[] = [];
  const lazily = (name: string, areas: readonly string[], operations: readonly Operation[]) =>
    defineModule({
      ...{ name, tag: "Shelves", areas },
      operations: async () => {
        loaded.push(name);
        return operations;
      },
    });
  const [shelf, other, deep, book] = [get("/shelves/:id"), get("/-/shelves"), get("/*path/shelf"), get("/books/:id")];
  const { operations } = assembleModules([
    lazily("one", ["*", "-/shelves", "shelves"], [shelf, other, deep]),
    lazily("two", ["books"], [book]),
  ]);
  expect(["shelves", "-/shelves", "*", "books", "-", "pages"].map((area) => operations.has(area))).toEqual([
    ...[true, true, true, true, false, false],
  ]);
  expect(await operations.of("shelves")).toEqual([shelf, deep]);
  expect(await operations.of("-/shelves")).toEqual([other, deep]);
  expect(await operations.of("*")).toEqual([deep]);
  expect(await operations.of("pages")).toEqual([]);
  expect(new Set(loaded)).toEqual(new Set(["one"]));
});

test.each([
  ["/projects", "projects"],
  ["/projects.json", "projects"],
  ["/projects/1/issues.json", "projects"],
  ["/-/jobs/1", "-/jobs"],
  ["/-/health.json", "-/health"],
  ["/-", "-"],
  ["/-/", "-/"],
  ["/:id/snippets", "*"],
  ["/*path.git/info/refs", "*"],
  ["/", ""],
  ["", ""],
])("the area of %j is %j", (path, area) => {
  expect(areaOf(path)).toBe(area);
});

test("the collections, job kinds and periodic work of all modules are registered", () => {
  const { collections, jobKinds, periodicWork } = assembleModules([
    defineModule({ name: "one", collections: [shelves], jobs: [dusting] }),
    defineModule({ name: "two", cron: [airing] }),
  ]);
  expect<readonly unknown[]>([...collections, ...jobKinds, ...periodicWork]).toEqual([shelves, dusting, airing]);
});

test("a registry has the entries of all modules in their order, and each registry is declared", () => {
  const colors = registry<string>("colors");
  const painted = defineModule({ name: "painted", registries: [colors], entries: [entryOf(colors, "red")] });
  const striped = defineModule({ name: "striped", entries: [entryOf(colors, "blue"), entryOf(colors, "green")] });
  const context = createContext({} as ContextParts, assembleModules([painted, striped]));
  expect(context.entries(colors)).toEqual(["red", "blue", "green"]);
  expect(() => context.entries(registry("sizes"))).toThrow("no module in the list has the registry sizes");
  expect(() => assembleModules([striped])).toThrow("the module striped adds to the registry colors");
  const twice = { ...painted, name: "twice", entries: [] };
  expect(() => assembleModules([painted, twice])).toThrow("the module twice has the registry colors, which");
});

test("the parts of modules that begin with a server do so one after the other, and all of them end", async () => {
  const calls: string[] = [];
  const slow = Promise.withResolvers<void>();
  const assembled = assembleModules([
    {
      name: "one",
      start: () => slow.promise.then(() => void calls.push("one begins")),
      stop: () => Promise.reject(new Error("one does not end")),
    },
    {
      name: "two",
      start: () => void calls.push("two begins"),
      stop: (_, drained) => drained.then(() => void calls.push("two ends")),
    },
    { name: "three", stop: () => void calls.push("three ends") },
  ]);
  const context = createContext({} as ContextParts, assembled);
  const started = assembled.start(context);
  slow.resolve();
  await started;
  const drained = Promise.withResolvers<void>();
  const stopped = assembled.stop(context, drained.promise);
  expect(calls).toEqual(["one begins", "two begins", "three ends"]);
  drained.resolve();
  await expect(stopped).rejects.toThrow("one does not end");
  expect(calls.at(-1)).toBe("two ends");
});

test("every manifest in a folder of modules is in the list", async () => {
  const folder = join(import.meta.dir, "../../../../src/modules");
  const found: unknown[] = [];
  for await (const file of new Glob("*/*/index.ts").scan(folder)) {
    const exported: Readonly<Record<string, unknown>> = await import(join(folder, file));
    found.push(...Object.keys(exported).filter((name) => name.endsWith("Module")));
  }
  const variableOf = (name: string) => `${name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())}Module`;
  expect(found.toSorted()).toEqual(modules.map(({ name }) => variableOf(name)).toSorted());
});

test("each module declares the collections of its own records, and no others", async () => {
  const folder = join(import.meta.dir, "../../../../src/modules");
  const namesIn = (declarations: readonly unknown[]) =>
    declarations.flatMap((each) => (isCollection(each) ? [each.name] : [])).toSorted();
  let count = 0;
  for await (const index of new Glob("*/*/index.ts").scan(folder)) {
    const exported: Readonly<Record<string, unknown>> = await import(join(folder, index));
    const manifests = modules.filter((each) => Object.values(exported).includes(each));
    const stored: unknown[] = [];
    for await (const file of new Glob("**/records*.ts").scan(join(folder, dirname(index)))) {
      const values: readonly unknown[] = Object.values(await import(join(folder, dirname(index), file)));
      // Collections of several kinds of things are in one object, by kind.
      stored.push(...values, ...values.flatMap((each) => (isPlainObject(each) ? Object.values(each) : [])));
    }
    const declared = manifests.flatMap(({ collections = [] }) => collections);
    expect([index, namesIn(stored)]).toEqual([index, namesIn(declared)]);
    count += declared.length;
  }
  expect(count).toBeGreaterThan(60);
});

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCollection(value: unknown): value is { readonly name: string } {
  return isPlainObject(value) && "kind" in value && "name" in value && "schema" in value && "references" in value;
}

const faults: readonly [string, () => unknown, string][] = [
  ["two modules of one name", () => assembleModules([one, { name: "one" }]), "two modules have the name one"],
  [
    "two services of one name",
    () =>
      assembleModules([
        { name: "one", services: [Shelves] },
        { name: "two", services: [serviceKey("shelves", () => [])] },
      ]),
    "the module two has the service shelves, which the module one has too",
  ],
  [
    "a service twice in a module",
    () => assembleModules([{ name: "one", services: [Shelves, Shelves] }]),
    "the module one has the service shelves twice",
  ],
  [
    "two events of one name",
    () =>
      assembleModules([
        { name: "one", events: [dusted] },
        { name: "two", events: [domainEvent("dusted")] },
      ]),
    "the module two has the event dusted, which the module one has too",
  ],
  [
    "an event twice in a module",
    () => assembleModules([{ name: "one", events: [dusted, dusted] }]),
    "the module one has the event dusted twice",
  ],
  [
    "a subscription to an event that no module declares",
    () => assembleModules([{ name: "one", on: [subscribe(dusted, { run() {} })] }, { name: "two" }]),
    "the module one subscribes to the event dusted, which no module declares",
  ],
  [
    "two collections of one name",
    () =>
      assembleModules([
        { name: "one", collections: [shelves] },
        { name: "two", collections: [shelves] },
      ]),
    "the module two has the collection shelves, which the module one has too",
  ],
  [
    "a collection twice in a module",
    () => assembleModules([{ name: "one", collections: [shelves, shelves] }]),
    "the module one has the collection shelves twice",
  ],
  [
    "two job kinds of one name",
    () =>
      assembleModules([
        { name: "one", jobs: [dusting] },
        { name: "two", jobs: [dusting] },
      ]),
    "the module two has the job kind dusting, which the module one has too",
  ],
  [
    "periodic work of one name",
    () =>
      assembleModules([
        { name: "one", cron: [airing] },
        { name: "two", cron: [airing] },
      ]),
    "the module two has the periodic work airing, which the module one has too",
  ],
];

test.each(faults)("the start refuses %s", (_, assemble, message) => {
  expect(assemble).toThrow(message);
});

const nobody = { ...get("/shelves"), who: undefined } as unknown as Operation;

test.each([
  [
    "two operations of one method and path, whatever the parameters are called",
    [
      withOperations("one", ["shelves"], get("/shelves/:id/books")),
      withOperations("two", ["shelves"], get("/shelves/:shelf_id/books")),
    ],
    "the module two has the operation GET /shelves/:/books, which the module one has too",
  ],
  [
    "an operation that does not say who may call it",
    [withOperations("one", ["shelves"], nobody)],
    "the module one has the operation GET /shelves, which does not say who may call it",
  ],
  [
    "a module that leaves out an area",
    [withOperations("one", ["shelves"], get("/books"), get("/shelves"))],
    "the module one states the areas shelves; its operations are in books, shelves",
  ],
  [
    "a module with an area that it is not in",
    [withOperations("one", ["books", "shelves"], get("/shelves"))],
    "the module one states the areas books, shelves; its operations are in shelves",
  ],
] as const)("the build refuses %s", async (_, wrong, message) => {
  await expect(verifyOperations(wrong)).rejects.toThrow(message);
});

test("a path is free for another method, and for the same name outside of the API", async () => {
  const post: Operation = { ...get("/shelves"), method: "POST" };
  const root = { ...get("/shelves"), root: true as const };
  await verifyOperations([withOperations("one", ["shelves"], get("/shelves"), root, post)]);
});

test("copies of a schema that differ in being optional are the same schema", async () => {
  const Shelf = Type.Object({ title: Type.String() }, { $id: "Shelf" });
  const body = Type.Object({ shelf: Type.Optional(Shelf) });
  await verifyOperations([withOperations("one", ["one", "two"], get("/one", Shelf), get("/two", body))]);
});

test("the modules of the product have no faults", async () => {
  expect(() => requireNoFaults(modules)).not.toThrow();
  await verifyOperations(modules);
});
