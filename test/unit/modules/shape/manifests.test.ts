import { expect, test } from "bun:test";
import { join } from "node:path";
import { type TSchema, Type } from "@sinclair/typebox";
import { Glob } from "bun";
import { jobKind } from "../../../../src/modules/core/background-jobs/index.ts";
import { modules } from "../../../../src/modules/index.ts";
import { domainEvent, subscribe } from "../../../../src/modules/kernel/event.ts";
import { assembleModules, defineModule } from "../../../../src/modules/kernel/module.ts";
import { requireNoFaults } from "../../../../src/modules/kernel/module-faults.ts";
import { noContent, type Operation, ok, operation } from "../../../../src/modules/kernel/operation.ts";
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

const one = defineModule({ name: "one", tag: "Shelves", operations: [get("/shelves")] });

test("tags and operations follow the order of the modules", () => {
  const [shelf, book, page] = [get("/shelf"), get("/book"), get("/page")];
  const { apiTags, operations } = assembleModules([
    defineModule({ name: "one", operations: { Shelves: [shelf], Books: [book] } }),
    defineModule({ name: "without-operations" }),
    defineModule({ name: "two", tag: "Shelves", operations: [page] }),
  ]);
  expect(apiTags).toEqual([
    { name: "Shelves", operations: [shelf, page] },
    { name: "Books", operations: [book] },
  ]);
  expect(operations).toEqual([shelf, page, book]);
});

test("the collections, job kinds and periodic work of all modules are registered", () => {
  const { collections, jobKinds, periodicWork } = assembleModules([
    defineModule({ name: "one", collections: [shelves], jobs: [dusting] }),
    defineModule({ name: "two", cron: [airing] }),
  ]);
  expect<readonly unknown[]>([...collections, ...jobKinds, ...periodicWork]).toEqual([shelves, dusting, airing]);
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
  [
    "two operations of one method and path, whatever the parameters are called",
    () =>
      assembleModules([
        { name: "one", tag: "Shelves", operations: [get("/shelves/:id/books")] },
        { name: "two", operations: { Books: [get("/shelves/:shelf_id/books")] } },
      ]),
    "the module two has the operation GET /shelves/:/books, which the module one has too",
  ],
  [
    "an operation that does not say who may call it",
    () => {
      const { who: _, ...nobody } = get("/shelves");
      return assembleModules([{ name: "one", tag: "Shelves", operations: [nobody as Operation] }]);
    },
    "the module one has the operation GET /shelves, which does not say who may call it",
  ],
];

test.each(faults)("the start refuses %s", (_, assemble, message) => {
  expect(assemble).toThrow(message);
});

test("a path is free for another method, and for the same name outside of the API", () => {
  const operations = [get("/shelves"), { ...get("/shelves"), root: true as const }];
  const post: Operation = { ...get("/shelves"), method: "POST" };
  expect(assembleModules([{ name: "one", tag: "Shelves", operations: [...operations, post] }]).operations).toHaveLength(
    3,
  );
});

test("copies of a schema that differ in being optional are the same schema", () => {
  const Shelf = Type.Object({ title: Type.String() }, { $id: "Shelf" });
  const body = Type.Object({ shelf: Type.Optional(Shelf) });
  const operations = [get("/one", Shelf), get("/two", body)];
  expect(assembleModules([{ name: "one", tag: "Shelves", operations }]).operations).toEqual(operations);
});

test("the modules of the product have no faults", () => {
  expect(() => requireNoFaults(modules)).not.toThrow();
});
