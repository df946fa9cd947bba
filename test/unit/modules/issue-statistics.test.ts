import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import type { Edition } from "../../../src/domain/edition.ts";
import { Access } from "../../../src/modules/core/access/index.ts";
import { users } from "../../../src/modules/core/users/records.ts";
import { countIssues } from "../../../src/modules/planning/issue-statistics/index.ts";
import type { IssueFilters, IssueScope } from "../../../src/modules/planning/issues/index.ts";
import { createServerContext, type ServerContext } from "../../../src/server/bootstrap.ts";
import { countByScan, type Instance, readInstance } from "../../support/checks/issue-scan.ts";
import { createRandom, seedOfRun } from "../../support/checks/random.ts";
import { configFor } from "../../support/fixtures/config.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { type Choices, changesOf, choices, populate, userIds } from "../../support/planning/issue-changes.ts";
import { filtersOf } from "../../support/planning/issue-questions.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const clock = new FakeClock();
const silent = { debug() {}, info() {}, warn() {}, error() {} };
let folder: Awaited<ReturnType<typeof createTempFolder>>;
const opened: ServerContext[] = [];

beforeAll(async () => {
  folder = await createTempFolder();
});

afterAll(async () => {
  for (const { context } of opened) await context.store.close();
  await folder.remove();
});

async function open(dataFolder: string, edition: Edition): Promise<ServerContext> {
  const serverContext = await createServerContext(configFor(dataFolder, { edition }), silent, { clock });
  opened.push(serverContext);
  return serverContext;
}

/** As the reader of parameters leaves it in the community edition. */
function withoutPaid({ epic_id, weight, not, ...free }: IssueFilters): IssueFilters {
  return not === undefined ? free : { ...free, not: withoutPaid(not) as NonNullable<IssueFilters["not"]> };
}

function check(serverContext: ServerContext, chosen: Choices, instance: Instance, edition: Edition): void {
  const { context } = serverContext;
  const { pick } = chosen;
  const user = context.store.of(users).get(pick(userIds));
  if (user === undefined) throw new Error("no user");
  const isPaid = edition !== "community";
  const scope = pick<IssueScope>([
    "everywhere",
    { group: pick(instance.groups) },
    { project: pick(instance.projects) },
  ]);
  const filters = isPaid ? filtersOf(chosen) : withoutPaid(filtersOf(chosen));
  const { all, closed } = countIssues(context, { user, token: undefined, ipAddress: null }, filters, scope);
  const asking = { user, access: context.get(Access), isPaid };
  const expected = countByScan(instance, asking, filters, scope);
  expect({ asked: [user.id, filters, scope], all, closed }).toEqual({
    asked: [user.id, filters, scope],
    all: expected.all,
    closed: expected.closed,
  });
}

for (const [round, edition] of (["ultimate", "ultimate", "premium", "community"] as const).entries()) {
  test(`counts equal those of a scan, after any changes, round ${round + 1}, ${edition}`, async () => {
    const chosen = choices(clock, createRandom(seedOfRun + round));
    const serverContext = await open(`${folder.path}/${round}`, edition);
    serverContext.context.store.startBackgroundWork();
    await serverContext.context.store.backgroundWorkDone();
    populate(serverContext);
    const instance = () => readInstance(serverContext.context.store);
    const { setUp, later } = changesOf(serverContext, clock, chosen, instance);
    for (let count = 0; count < 90; count += 1) chosen.pick(setUp)();
    for (let count = 0; count < 250; count += 1) {
      chosen.pick(later)();
      const now = instance();
      for (let asked = 0; asked < 6; asked += 1) check(serverContext, chosen, now, edition);
    }
    await serverContext.context.store.settled();
    // As a power cut leaves it: nobody closed the store.
    await cp(`${folder.path}/${round}`, `${folder.path}/${round}-found`, { recursive: true });
    const found = await open(`${folder.path}/${round}-found`, edition);
    const now = readInstance(found.context.store);
    expect(now).toEqual(instance());
    for (let asked = 0; asked < 200; asked += 1) check(found, chosen, now, edition);
  });
}
