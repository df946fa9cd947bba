import type { Server } from "bun";
import { Matcher } from "../../src/http/entry/matcher.ts";
import { createRequestHandler } from "../../src/http/entry/request-handler.ts";
import { createInitialAdmin } from "../../src/modules/accounts/initial-setup/index.ts";
import { Access, type AccessPolicy } from "../../src/modules/core/access/index.ts";
import { users } from "../../src/modules/core/users/records.ts";
import type { ProjectRecord } from "../../src/modules/groups-and-projects/projects/records.ts";
import { productModules } from "../../src/modules/index.ts";
import { memberships } from "../../src/modules/members/members/records.ts";
import { createServerContext } from "../../src/server/bootstrap.ts";
import { configFor } from "../support/fixtures/config.ts";
import { FakeClock } from "../support/fixtures/fake-clock.ts";
import { groupRef, projectRef, putGroup, putLink, putMember, putProject } from "../support/fixtures/places.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { rootToken } from "./support/outpost.ts";

const levelsOfGroups = 5;
const requests = 2_000;

/** Milliseconds of one request on the event loop, without a socket. */
type Ask = (path: string) => Promise<number>;

async function run({ scale }: { scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  const count = Math.round(10_000 * scale);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const config = configFor(folder.path, { rootToken });
  const { context, metrics } = await createServerContext(config, log);
  const { store } = context;
  try {
    createInitialAdmin(context, { token: rootToken, password: "" }, { read: () => undefined, write() {} });
    const clock = new FakeClock();
    const { direct, deep, project } = makePlaces({ store, clock }, count);
    const front = createRequestHandler({
      matcher: new Matcher(false),
      context,
      operations: productModules.operations,
      externalUrl: undefined,
      trustedProxies: undefined,
      isSecure: false,
      metrics,
    });
    const server = { requestIP: () => null, timeout() {} } as unknown as Server<undefined>;
    const ask: Ask = async (path) => {
      const request = new Request(`http://127.0.0.1/api/v4${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
      const startedAt = performance.now();
      const answer = await front.fetch(request, server);
      const ms = performance.now() - startedAt;
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      return ms;
    };
    const [one, all] = [`/projects/${direct}/members`, `/projects/${deep}/members/all`] as const;
    await comparePages(ask, one, all);
    const anew: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const { id } = putMember({ store, clock }, projectRef(project), 1, 30);
      anew.push(await ask(all));
      store.transact((tx) => tx.remove(memberships, id));
    }
    console.log(
      `  all, worked out anew after a change: ${digits(median(anew))} ms, at most ${digits(Math.max(...anew))} ms`,
    );
    measureLevels(context.get(Access), project, count);
    const startedAt = performance.now();
    const holders = context.get(Access).usersWithProjects().size;
    console.log(`  who has a project, worked out for ${holders}: ${digits(performance.now() - startedAt)} ms`);
  } finally {
    await store.close();
  }
}

/** A project with so many direct members, and one that has as many through five levels of groups and an invited one. */
function makePlaces(world: Parameters<typeof putGroup>[0], count: number) {
  const { store } = world;
  const root = store.of(users).get(1);
  if (root === undefined) throw new Error("no root");
  store.transact((tx) => {
    for (let id = 2; id < count + 2; id += 1) {
      const username = `member${id}`;
      tx.insert(users, {
        ...root,
        id,
        username,
        name: `Member ${id}`,
        email: `${username}@x.example`,
        is_admin: false,
      });
    }
  });
  const direct = putProject(world, putGroup(world).id);
  const chain = [putGroup(world)];
  while (chain.length < levelsOfGroups) chain.push(putGroup(world, { parent_id: chain.at(-1)?.id as number }));
  const project = putProject(world, chain.at(-1)?.id as number);
  const invited = putGroup(world);
  putLink(world, projectRef(project), invited.id, 30);
  const sources = [...chain.map(groupRef), projectRef(project), groupRef(invited)];
  for (let id = 2; id < count + 2; id += 1) {
    putMember(world, projectRef(direct), id, 30);
    putMember(world, sources[id % sources.length] ?? projectRef(project), id, 30);
  }
  return { direct: direct.id, deep: project.id, project };
}

async function comparePages(ask: Ask, direct: string, all: string): Promise<void> {
  const measure = (path: string) => async () => {
    const times: number[] = [];
    for (let asked = 0; asked < requests; asked += 1) times.push(await ask(path));
    return median(times);
  };
  for (const path of [direct, all]) await measure(path)();
  const rounds = await interleave({ direct: measure(direct), all: measure(all) }, (results) => results.direct);
  printTable(
    ["first page", "µs"],
    Object.entries(rounds.of).map(([name, times]) => [name, digits(1000 * median(times))]),
  );
  const found = ratio(rounds.of.all, rounds.of.direct, (ms) => ms);
  console.log(`  all against direct: ${verdict(found, "at most", 2, " times")}; ${calmness(rounds)}`);
}

function measureLevels(access: AccessPolicy, project: ProjectRecord, count: number): void {
  const plain = { username: "", name: "", email: "", is_admin: false, is_auditor: false, external: false };
  const people = Array.from({ length: Math.min(count, 1_000) }, (_, at) => ({ ...plain, id: at + 2 }));
  for (const person of people) access.levelInProject(person, project);
  const rounds = 1_000;
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    for (const person of people) access.levelInProject(person, project);
  }
  const micros = ((performance.now() - startedAt) * 1000) / (rounds * people.length);
  console.log(`  effective level in a project, warm: ${verdict(micros, "at most", 2, " µs")}`);
}

export const bench: Bench = {
  title: "members of a project: direct ones beside those of five levels of groups; effective levels",
  run,
};
