import { type Log, silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  Store,
  type Transaction,
  unique,
} from "../../../src/store/index.ts";
import type { SimulatedDisk } from "../../support/disk/simulated-disk.ts";

export const Person = record({
  id: field.whole,
  name: field.text,
  team: field.whole,
  state: field.oneOf("active", "blocked"),
  padding: field.optional(field.text),
});
export type Person = RecordOf<typeof Person>;

export const Note = record({
  id: field.whole,
  author: field.whole,
  text: field.text,
});
export type Note = RecordOf<typeof Note>;

/** The number of transactions: each of them changes it, so that a state identifies its transaction. */
const Count = record({
  id: field.whole,
  transactions: field.whole,
});
type Count = RecordOf<typeof Count>;

export const people = collection("people", Person, {
  indexes: {
    team: multi((person) => [person.team]),
    state: bitmap((person) => [person.state]),
    byId: ordered((person) => person.id),
    byName: ordered((person) => person.name),
    // Last, so that the others have changed when it refuses.
    name: unique((person) => person.name),
  },
});

export const notes = collection("notes", Note, {
  indexes: {
    author: multi((note) => [note.author]),
    byId: ordered((note) => note.id),
  },
});

const counts = collection("counts", Count, { indexes: { byId: ordered((count) => count.id) } });

export const sampleCollections = [people, notes, counts];

export const dataFolder = "/srv/outpost/data";
/** Folder of the files of a new store. */
export const partsFolder = `${dataFolder}/generations/0001`;

interface SampleOptions {
  readonly onDiskFailure?: (error: unknown) => void;
  readonly journalFileBytes?: number;
  readonly log?: Log;
  readonly requireMemory?: (bytes: number) => void;
}

/** A store on a simulated disk, with journal files that are full after a few transactions. */
export function openSample(disk: SimulatedDisk, options: SampleOptions = {}): Promise<Store> {
  return Store.open({
    folder: dataFolder,
    collections: sampleCollections,
    clock: { now: () => 1_700_000_000_000 },
    randomness: systemRandomness,
    log: options.log ?? silentLog,
    disk,
    lock: () => ({ release() {} }),
    ...(options.requireMemory === undefined ? {} : { requireMemory: options.requireMemory }),
    journalFileBytes: options.journalFileBytes ?? 4096,
    onDiskFailure:
      options.onDiskFailure ??
      ((error) => {
        throw error;
      }),
  });
}

/** All documents by `collection/id`. */
export type State = ReadonlyMap<string, unknown>;

export const emptyState: State = new Map();

/** The state of a store, read through its indexes. */
export function stateOf(store: Store): State {
  const state = new Map<string, unknown>();
  for (const id of store.of(people).by.byId.walk(false)) state.set(`people/${id}`, store.of(people).get(id));
  for (const id of store.of(notes).by.byId.walk(false)) state.set(`notes/${id}`, store.of(notes).get(id));
  for (const id of store.of(counts).by.byId.walk(false)) state.set(`counts/${id}`, store.of(counts).get(id));
  return state;
}

/** The first thing about a store's indexes that does not fit its documents. */
export function indexFault(store: Store): string | undefined {
  const { size, by, get } = bound(store);
  const ids = [...by.byId.walk(false)];
  if (ids.length !== size) return `${ids.length} ids in order, ${size} documents`;
  if (by.byName.size !== size) return `${by.byName.size} names in order, ${size} documents`;
  for (const id of ids) {
    const person = get(id);
    if (person === undefined) return `no person ${id}`;
    if (by.name.find(person.name) !== id) return `name of ${id}`;
    if (!by.team.find(person.team).has(id)) return `team of ${id}`;
    if (!by.state.find(person.state).has(id)) return `state of ${id}`;
  }
  const inStates = by.state.find("active").size + by.state.find("blocked").size;
  return inStates === size ? undefined : `${inStates} people with a state, ${size} documents`;
}

function bound(store: Store) {
  const documents = store.of(people);
  return { size: documents.size, by: documents.by, get: (id: number) => documents.get(id) };
}

/** One change, to the store and to the model alike. */
export type Step =
  | { readonly kind: "put"; readonly id: number; readonly team: number; readonly padding?: string }
  | { readonly kind: "remove"; readonly id: number };

/**
 * Applies steps in one transaction. Every put writes a note beside the person, in another collection, and every
 * transaction counts itself: a half of it would show.
 */
export function applySteps(transaction: Transaction, store: Store, steps: readonly Step[]): void {
  for (const step of steps) {
    const before = store.of(people).get(step.id);
    if (step.kind === "remove") {
      if (before === undefined) continue;
      transaction.remove(people, step.id);
      transaction.remove(notes, step.id);
    } else if (before === undefined) {
      transaction.insert(people, personOf(step));
      transaction.insert(notes, noteOf(step));
    } else {
      transaction.update(people, personOf(step));
      transaction.update(notes, noteOf(step));
    }
  }
  const transactions = transaction.nextId("transactions");
  if (store.of(counts).get(1) === undefined) transaction.insert(counts, { id: 1, transactions });
  else transaction.update(counts, { id: 1, transactions });
}

/** The state after `applySteps`. */
export function modelSteps(state: State, steps: readonly Step[]): State {
  const next = new Map(state);
  for (const step of steps) {
    if (step.kind === "remove") {
      next.delete(`people/${step.id}`);
      next.delete(`notes/${step.id}`);
    } else {
      next.set(`people/${step.id}`, personOf(step));
      next.set(`notes/${step.id}`, noteOf(step));
    }
  }
  next.set("counts/1", { id: 1, transactions: countOf(state) + 1 });
  return next;
}

/** The number of transactions that led to a state. */
export function countOf(state: State): number {
  return (state.get("counts/1") as Count | undefined)?.transactions ?? 0;
}

export function personOf({ id, team, padding }: Extract<Step, { kind: "put" }>): Person {
  const state = team % 2 === 0 ? "active" : "blocked";
  return { id, name: `person ${id} of ${team}`, team, state, ...(padding === undefined ? {} : { padding }) };
}

function noteOf({ id, team }: Extract<Step, { kind: "put" }>): Note {
  return { id, author: id, text: `in team ${team} — “ünïcödé”` };
}
