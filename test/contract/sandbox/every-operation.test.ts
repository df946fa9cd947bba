import { expect, test } from "bun:test";
import { operations } from "../../support/checks/operations.ts";
import { createRandom } from "../../support/checks/random.ts";
import { putRunningJob } from "../../support/ci/running-job.ts";
import { type Documents, documentsOfStore } from "../../support/disk/kept-store.ts";
import { type Json, rootToken, type World } from "../../support/fixtures/world.ts";
import { allSamples, nameOf, sampleOf } from "../matrix/samples.ts";
import type { Samples, Scene } from "../matrix/scene.ts";
import { setScene } from "../matrix/scene.ts";

const settings = { sandbox: true, rngSeed: 7, externalUrl: "https://outpost.example" } as const;
const startScene = () => setScene(undefined, settings);

/** What these answer is about the machine, the process or the moment. */
const aboutMachine = [
  ...["GET /-/health", "GET /-/readiness", "GET /-/metrics", "GET /-/figures", "GET /-/attention", "GET /-/requests"],
  ...["GET /-/requests/:id", "GET /-/console/events", "GET /-/data", "GET /-/backups", "POST /-/backup"],
  ...["POST /-/backups", "GET /-/backups/:name", "POST /-/backups/:name/verify", "GET /-/data/:collection"],
  ...["GET /-/data/:collection/:id", "GET /-/settings", "GET /-/storages", "GET /oauth/discovery/keys"],
];
const comparable = operations.filter((operation) => !aboutMachine.includes(nameOf(operation)));
type Operation = (typeof operations)[number];

/** Calls the operation as its rightful caller would. Throws when the server refuses it. */
async function callSample({ world, boss, places }: Scene, samples: Samples, operation: Operation): Promise<string> {
  const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
  // Some operations end the token that they are called with.
  const credential =
    operation.who === "job"
      ? { "JOB-TOKEN": putRunningJob(world, places.public.projectId, boss.id).token }
      : { "PRIVATE-TOKEN": (await world.token(boss.id, { scopes: ["api", "sudo"] })).token as string };
  const headers = { ...options?.headers, ...credential };
  const { status, text } = await world.call(operation.method, path, { ...options, headers });
  await world.jobsDone();
  return `${status} ${text}`;
}

/** One call of every operation, in the order of the table: its answer by the operation's name. */
async function answersOf(scene: Scene): Promise<Map<string, string>> {
  const samples = allSamples(scene);
  const answers = new Map<string, string>();
  for (const operation of operations) answers.set(nameOf(operation), await callSample(scene, samples, operation));
  return answers;
}

test("two servers with one number answer every operation with the same bytes", async () => {
  const first = await answersOf(await startScene());
  const second = await answersOf(await startScene());
  for (const operation of comparable) {
    const name = nameOf(operation);
    expect([name, second.get(name)]).toEqual([name, first.get(name)]);
  }
});

/** What a server holds, and what it shows of it. */
interface State {
  readonly documents: Documents;
  readonly bodies: ReadonlyMap<string, string>;
}

/** The path of an operation that reads, about the first of everything. */
function readingPath({ path }: Operation, { groupId, projectId }: { groupId: number; projectId: number }): string {
  const first = path.startsWith("/groups/") ? groupId : path.startsWith("/projects/") ? projectId : 1;
  return path.replace(":id", String(first)).replaceAll(/[:*]\w+/g, (name) => (name === ":ref" ? "main" : "1"));
}

const reads = comparable.filter(({ method, path }) => method === "GET" && !path.includes("/-/unknown-calls"));

/** The answers of all operations that read, and the documents. Reading twice changes nothing, as the clock stands still. */
async function stateOf({ world, places }: Scene): Promise<State> {
  const bodies = new Map<string, string>();
  for (const operation of reads) {
    const { status, text } = await world.call("GET", readingPath(operation, places.public), { token: rootToken });
    bodies.set(nameOf(operation), `${status} ${text}`);
  }
  return { documents: documentsOfStore(world.store), bodies };
}

function expectSame(state: State, wanted: State, when: string): void {
  for (const [name, body] of wanted.bodies) expect([when, name, state.bodies.get(name)]).toEqual([when, name, body]);
  for (const [key, document] of wanted.documents) {
    expect([when, key, state.documents.get(key)]).toEqual([when, key, document]);
  }
  expect([when, state.documents.size]).toEqual([when, wanted.documents.size]);
}

async function sandboxCall(world: World, method: string, path: string, json?: object): Promise<Json> {
  const { status, body, text } = await world.call(method, `/-/sandbox/${path}`, { token: rootToken, json });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${text}`);
  return body;
}

test("any sequence of calls, checkpoints and restores ends where the checkpoint was made, and a reset at the start", async () => {
  const scene = await startScene();
  const { world } = scene;
  // The test's own reads note when a token was used.
  await sandboxCall(world, "PUT", "clock", { frozen: true });
  const samples = allSamples(scene);
  // Some samples remember what they have made: no restore shall take it away.
  for (const operation of operations) await sampleOf(samples, operation).make(scene.boss, scene.places.public);
  const random = createRandom();
  const kept = new Map<string, State>();
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T;
  const names = ["a", "b", "c"];
  const order: string[] = [];
  for (let step = 0; step < 160; step += 1) {
    const draw = random.fraction();
    const name = pick(names);
    if (draw < 0.05) {
      await stateOf(scene);
      await sandboxCall(world, "PUT", `checkpoints/${name}`);
      kept.set(name, await stateOf(scene));
      order.splice(0, order.length, ...order.filter((each) => each !== name), name);
    } else if (draw < 0.12 && kept.has(name)) {
      await sandboxCall(world, "POST", `checkpoints/${name}/restore`);
      expectSame(await stateOf(scene), kept.get(name) as State, `seed ${random.seed}, step ${step}`);
      for (const later of order.splice(order.indexOf(name) + 1)) kept.delete(later);
    } else await callSample(scene, samples, pick(operations));
  }
  for (const name of order.toReversed()) {
    await sandboxCall(world, "POST", `checkpoints/${name}/restore`);
    expectSame(await stateOf(scene), kept.get(name) as State, `seed ${random.seed}, at the end`);
  }
  await sandboxCall(world, "POST", "reset");
  const { world: fresh } = await startScene();
  await sandboxCall(fresh, "POST", "reset");
  // The salt of a password is never drawn by the number.
  const withoutSalts = ({ store }: World) =>
    JSON.stringify([...documentsOfStore(store)]).replaceAll(/(?<="password_digest":")[^"]+/g, "");
  expect(withoutSalts(world)).toBe(withoutSalts(fresh));
});
