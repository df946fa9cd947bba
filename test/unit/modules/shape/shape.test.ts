import { describe, expect, test } from "bun:test";
import { basename, join } from "node:path";
import { Glob } from "bun";
import { exportedFunctions } from "../../../support/checks/exported-functions.ts";
import { fileFault, functionFaults, recordFunctionFaults } from "../../../support/checks/module-shape.ts";

const folder = join(import.meta.dir, "../../../../src/modules");

test("functions of the modules are named by the rules, and their first parameters are in order", async () => {
  const faults: string[] = [];
  let count = 0;
  for await (const file of new Glob("**/*.ts").scan(folder)) {
    const functions = exportedFunctions(await Bun.file(join(folder, file)).text());
    count += functions.length;
    const ofRecords = basename(file).startsWith("records") ? recordFunctionFaults(functions) : [];
    faults.push(...[...functionFaults(functions), ...ofRecords].map((fault) => `${file}: ${fault}`));
  }
  expect(count).toBeGreaterThan(1000);
  expect(faults.sort()).toEqual([]);
});

test("files of the modules are named by the rules", async () => {
  const faults: string[] = [];
  let count = 0;
  for await (const file of new Glob("*/*/**/*.ts").scan(folder)) {
    if (file.startsWith("kernel/")) continue;
    count += 1;
    const fault = fileFault(basename(file), await Bun.file(join(folder, file)).text());
    if (fault !== undefined) faults.push(`${file}: ${fault}`);
  }
  expect(count).toBeGreaterThan(500);
  expect(faults.sort()).toEqual([]);
});

test("a file of another name is refused without a doc comment on its first line", () => {
  for (const name of ["schema.ts", "operations-trace.ts", "service-list.ts", "events.ts", "index.ts"]) {
    expect(fileFault(name, "")).toBeUndefined();
  }
  expect(fileFault("zip.ts", "/** The reader of one file in a zip archive. */\n\nimport")).toBeUndefined();
  for (const name of ["zip.ts", "trace-operations.ts", "rights.ts", "events-list.ts"]) {
    expect(fileFault(name, 'import { a } from "a";\n')).toContain("doc comment");
  }
});

describe("a function is refused", () => {
  const faultsOf = (text: string) => functionFaults(exportedFunctions(text));

  test("whose verb has a synonym in the rules", () => {
    expect(faultsOf("export function modifyUser(context: Context): void {")).toEqual([
      "modifyUser: the verb is not modify but update",
    ]);
    expect(faultsOf("export async function refuseAll(context: Context): Promise<void> {")).toHaveLength(1);
    expect(faultsOf("export const mayRead = (context: Context): boolean => true;")).toHaveLength(1);
    expect(faultsOf("export function updateUser(context: Context): void {")).toEqual([]);
    expect(faultsOf("export function settingsOf(context: Context): Settings {")).toEqual([]);
  });

  test("that breaks the promise of its verb", () => {
    expect(faultsOf("export function createUser(tx: Transaction): void {")).toHaveLength(1);
    expect(faultsOf("export function insertUser(context: Context): void {")).toHaveLength(1);
    expect(faultsOf("export function getUser(store: Store): UserRecord | undefined {")).toHaveLength(1);
    expect(faultsOf("export function findUser(store: Store): UserRecord | undefined {")).toEqual([]);
    expect(faultsOf("export function canRead(user: User): string {")).toHaveLength(1);
    expect(faultsOf("export function isGroup(source: Source): source is Group {")).toEqual([]);
    expect(faultsOf("export function requireLevel(context: Context): number {")).toHaveLength(1);
  });

  test("whose first parameters are in another order", () => {
    const fault = ["moveGroup: the first parameters are the transaction, the context, the caller, in this order"];
    expect(faultsOf("export function moveGroup(store: Store, tx: Transaction): void {")).toEqual(fault);
    expect(faultsOf("export function moveGroup(caller: Caller, { store }: Context): void {")).toEqual(fault);
    expect(faultsOf("export function moveGroup(group: Group, { user }: Caller, id = 1): void {")).toEqual(fault);
    expect(faultsOf("export function moveGroup(tx: Transaction, { a }: Context, caller: Caller): void {")).toEqual([]);
  });
});

test("a function of records is refused that takes more than the store and values", () => {
  const faultsOf = (text: string) => recordFunctionFaults(exportedFunctions(text));
  const fault = ["moveStar: a function that takes a transaction, a context or a caller is in a service"];
  expect(faultsOf("export function moveStar(tx: Transaction, id: number): void {")).toEqual(fault);
  expect(faultsOf("export function moveStar({ store }: Context): void {")).toEqual(fault);
  expect(faultsOf("export function moveStar(store: Store, { user }: Caller): void {")).toEqual(fault);
  expect(faultsOf("export function starKey(store: Store, id: number): string {")).toEqual([]);
});

describe("a presenter is refused", () => {
  const faultsOf = (text: string) => functionFaults(exportedFunctions(text));

  test("with other parameters than the record, the view and one object", () => {
    const fault = ["presentNote: present… takes the record, the view, and other options in one object"];
    const end = "): Static<typeof Note> {";
    expect(faultsOf(`export function presentNote(note: Note, { baseUrl }: View${end}`)).toEqual([]);
    expect(faultsOf(`export function presentNote(note: Note, view: Pick<View, "context">${end}`)).toEqual([]);
    expect(faultsOf(`export function presentNote(note: Note, view: View, { a }: Options${end}`)).toEqual([]);
    expect(faultsOf(`export function presentNote({ body }: Note${end}`)).toEqual([]);
    expect(faultsOf(`export function presentNote(note: Note, baseUrl: string${end}`)).toEqual(fault);
    expect(faultsOf(`export function presentNote(context: Context, note: Note${end}`)).toEqual(fault);
    expect(faultsOf(`export function presentNote(note: Note, view: View, a: number, b: number${end}`)).toEqual(fault);
    expect(faultsOf("export function presentNote(): Static<typeof Note> {")).toEqual(fault);
  });

  test("that leaves the type of its answer to the compiler", () => {
    expect(faultsOf("export function presentNote(note: Note) {")).toHaveLength(1);
    expect(faultsOf("export function presentNote(note: Note): object {")).toHaveLength(1);
  });
});

describe("the reader of exported functions", () => {
  test("understands patterns, defaults, types of several lines and arrow functions", () => {
    const text = `export async function* moveIssue<T extends { a: string }>(
  { store }: Pick<Context, "store">,
  to: Map<string, () => void> = new Map<string, () => void>(),
  limit = Infinity,
): Promise<{ readonly a: T }> {
export const pageOf = (item: TSchema, options: { a?: X } = {}): Answer => ({
export const limit = (1 + 2) * 3;
function hidden() {}
`;
    expect(exportedFunctions(text)).toEqual([
      {
        name: "moveIssue",
        parameters: [
          { pattern: "{ store }", type: 'Pick<Context, "store">' },
          { pattern: "to", type: "Map<string, () => void>" },
          { pattern: "limit", type: "" },
        ],
        returns: "Promise<{ readonly a: T }>",
      },
      {
        name: "pageOf",
        parameters: [
          { pattern: "item", type: "TSchema" },
          { pattern: "options", type: "{ a?: X }" },
        ],
        returns: "Answer",
      },
    ]);
  });
});
