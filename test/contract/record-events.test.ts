import { expect, test } from "bun:test";
import { productModules } from "../../src/modules/index.ts";
import type { Context } from "../../src/modules/kernel/context.ts";
import { type DomainEvent, subscribe } from "../../src/modules/kernel/event.ts";
import { defineModule } from "../../src/modules/kernel/module.ts";
import type { Operation } from "../../src/modules/kernel/operation.ts";
import type { RecordChange } from "../../src/modules/kernel/record-events.ts";
import type { StoredDocument } from "../../src/store/index.ts";
import { operations } from "../support/checks/operations.ts";
import { alterJob, putRunningJob } from "../support/ci/running-job.ts";
import { allSamples, nameOf, sampleOf } from "./matrix/samples.ts";
import { type MadeSamples, type Sample, setScene } from "./matrix/scene.ts";
import { fieldsWithoutEvents, goneWithAnother, operationsWithoutEvents } from "./record-events/exceptions.ts";

/** An event as the subscriber got it, with the record that the store had then. */
interface Heard {
  readonly event: DomainEvent<unknown>;
  readonly payload: unknown;
  readonly stored: StoredDocument | undefined;
}

const heard: Heard[] = [];
const declared = [...productModules.subscriptions.keys()];
const listener = defineModule({
  name: "listener",
  on: declared.map((event) =>
    subscribe(event, {
      phase: 9,
      run(_tx, context, payload) {
        const { collection } = event;
        const stored = collection === undefined ? undefined : documentsOf(collection, context).get(idOf(payload));
        heard.push({ event, payload, stored });
      },
    }),
  ),
});

const scene = await setScene(undefined, {}, [listener]);
const { world, boss, places } = scene;
const samples = allSamples(scene);
const collections = [...new Set(declared.flatMap(({ collection }) => collection ?? []))];

const withoutEvents = new Set(operationsWithoutEvents.flatMap(({ operations: names }) => names));
const changing = operations.filter(({ method }) => method !== "GET");

type Documents = ReadonlyMap<number, StoredDocument>;
type Records = ReadonlyMap<string, Documents>;

function documentsOf(name: string, { collections: all, store }: Pick<Context, "collections" | "store">) {
  const found = all.find((each) => each.name === name);
  if (found?.kind !== "hot") throw new Error(`there is no collection ${name}`);
  return store.of(found);
}

function idOf(payload: unknown): number {
  const { before, after } = payload as RecordChange<StoredDocument>;
  return (after ?? before)?.id as number;
}

/** The records that events are about, by collection. */
function recordsNow(): Records {
  return new Map(collections.map((name) => [name, allOf(documentsOf(name, world.context))]));
}

function allOf(documents: ReturnType<typeof documentsOf>): Documents {
  const found = new Map<number, StoredDocument>();
  for (let id = documents.ids.firstFrom(1); id !== undefined; id = documents.ids.firstFrom(id + 1)) {
    found.set(id, documents.get(id) as unknown as StoredDocument);
  }
  return found;
}

/** A record without what no event is about; undefined for a system note, and for what is hidden until a job removes it. */
function essentialsOf(collection: string, record: StoredDocument | undefined): object | undefined {
  const ignored = ["updated_at", ...(fieldsWithoutEvents[collection] ?? [])];
  const fields = Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !ignored.includes(name)));
  const { is_being_deleted, system, status } = fields;
  const isNone =
    record === undefined || is_being_deleted === true || status === "pending_destruction" || system === true;
  return isNone ? undefined : fields;
}

/** Calls that change more than the module's sample does. */
const largerCalls: MadeSamples = {
  "PATCH /projects/:id/job_token_scope": (_, { projectId }) => ({
    path: `/projects/${projectId}/job_token_scope`,
    options: { json: { enabled: false } },
  }),
  "PUT /user/preferences": () => ({ path: "/user/preferences", options: { json: { view_diffs_file_by_file: true } } }),
  "POST /projects/:id/pipelines/:pipeline_id/retry": async () => after("retry", "cancel"),
  "POST /projects/:id/issues/:issue_iid/reset_time_estimate": () => after("reset_time_estimate", "time_estimate"),
  "POST /projects/:id/issues/:issue_iid/reset_spent_time": () => after("reset_spent_time", "add_spent_time"),
};

/** The call of an operation whose path ends so, after that of another one on the same record. */
async function after(end: string, earlier: string): Promise<Sample> {
  const operation = changing.find(
    ({ method, path }) => method === "POST" && path.endsWith(`/${earlier}`) && !path.includes("jobs"),
  );
  const { path, options } = await sampleOf(samples, operation as Operation).make(boss, places.public);
  await world.call("POST", path, { ...options, token: boss.token });
  return { path: path.replace(new RegExp(`${earlier}$`), end) };
}

async function send(operation: Operation) {
  const make = largerCalls[nameOf(operation)] ?? sampleOf(samples, operation).make;
  const { path, options } = await make(boss, places.public);
  const call = (headers: Readonly<Record<string, string>>, token?: string) =>
    world.call(operation.method, path, { ...options, headers: { ...options?.headers, ...headers }, token });
  // The operation may end the token.
  const { token } = await world.token(boss.id, { name: "fresh", scopes: ["api"] });
  await world.jobsDone();
  const running = operation.who === "job" ? putRunningJob(world, places.public.projectId, boss.id) : undefined;
  const before = recordsNow();
  heard.length = 0;
  const { status, text } = running === undefined ? await call({}, token) : await call({ "JOB-TOKEN": running.token });
  if (status >= 300) throw new Error(`${nameOf(operation)}: ${status} ${text}`);
  const told = [...heard];
  const after = recordsNow();
  if (running !== undefined && !path.startsWith("/jobs/")) alterJob(world, running.job, { status: "success" });
  return { before, after, told };
}

/** The records that differ, as `issues 5`. */
function changedRecords(before: Records, after: Records): string[] {
  return collections.flatMap((name) => {
    const [old, now] = [before.get(name) as Documents, after.get(name) as Documents];
    const ids = new Set([...old.keys(), ...now.keys()]);
    return [...ids]
      .filter((id) => !Bun.deepEquals(essentialsOf(name, old.get(id)), essentialsOf(name, now.get(id))))
      .map((id) => `${name} ${id}`);
  });
}

/** The faults of the events about one record: the first begins with the record as it was, each goes on, the last ends with it as it is. */
function faultsOf(
  name: string,
  events: readonly Heard[],
  old: StoredDocument | undefined,
  now: StoredDocument | undefined,
) {
  const faults: string[] = [];
  let known = essentialsOf(name, old);
  for (const { event, payload, stored } of events) {
    const { before, after, caller } = payload as RecordChange<StoredDocument>;
    if (!Bun.deepEquals(essentialsOf(name, before), known)) faults.push(`${event.name} does not begin with the record`);
    if (event.name.endsWith("-created") !== (before === undefined)) faults.push(`${event.name} has a wrong before`);
    if (event.name.endsWith("-deleted") !== (after === undefined)) faults.push(`${event.name} has a wrong after`);
    if (after !== undefined && !Bun.deepEquals(after, stored)) faults.push(`${event.name} is not what the store has`);
    if (caller === undefined) faults.push(`${event.name} has no caller`);
    known = essentialsOf(name, after);
  }
  if (!Bun.deepEquals(known, essentialsOf(name, now))) faults.push("the last event does not end with the record");
  return faults;
}

test("there are operations that change something", () => {
  expect(changing.length).toBeGreaterThan(200);
});

for (const operation of changing) {
  const name = nameOf(operation);
  test(`${name} publishes an event for each record that it changes`, async () => {
    const { before, after, told } = await send(operation);
    const byRecord = Map.groupBy(
      told.filter(({ event }) => event.collection !== undefined),
      ({ event, payload }) => `${event.collection} ${idOf(payload)}`,
    );
    const gone = goneWithAnother[name] ?? [];
    const silent = changedRecords(before, after).filter(
      (record) => !byRecord.has(record) && !gone.some((collection) => record.startsWith(`${collection} `)),
    );
    expect(silent).toEqual([]);
    for (const [record, events] of byRecord) {
      const [collection, id] = record.split(" ") as [string, string];
      const [old, now] = [before.get(collection)?.get(Number(id)), after.get(collection)?.get(Number(id))];
      expect({ record, faults: faultsOf(collection, events, old, now) }).toEqual({ record, faults: [] });
    }
    expect({ name, isSilent: told.length === 0 }).toEqual({ name, isSilent: withoutEvents.has(name) });
  });
}

test("the exceptions are about operations", () => {
  const known = new Set(changing.map(nameOf));
  const strays = [...withoutEvents, ...Object.keys(goneWithAnother), ...Object.keys(largerCalls)].filter(
    (each) => !known.has(each),
  );
  expect(strays).toEqual([]);
});
