import { dayMs } from "../lib/datetime.ts";
import { users } from "../modules/core/users/records.ts";
import { groups } from "../modules/groups-and-projects/groups/records.ts";
import { projects } from "../modules/groups-and-projects/projects/records.ts";
import type { Context } from "../modules/kernel/context.ts";
import type { Store } from "../store/index.ts";
import { type Account, type Call, calls, makeAccounts } from "./generators/accounts.ts";
import { Alerts, documentsOfAlert } from "./generators/alerts.ts";
import { seedErrors } from "./generators/errors.ts";
import { companiesOf, seedGroups } from "./generators/groups.ts";
import { documentsOfIssue, seedIssues } from "./generators/issues.ts";
import { seedMoves } from "./generators/moves.ts";
import { seedPackages } from "./generators/packages.ts";
import { finishUsers, seedPeople } from "./generators/people.ts";
import { seedPipelines } from "./generators/pipelines.ts";
import { seedPlanning } from "./generators/planning.ts";
import { finishProjects, seedProjects } from "./generators/projects.ts";
import { seedRepositories } from "./generators/repositories.ts";
import { seedRoles } from "./generators/roles.ts";
import { seedSnippets } from "./generators/snippets.ts";
import { Organisation, type SeedSettings } from "./organisation.ts";
import { seedUserExtras } from "./user-extras.ts";

export { type Call, demoUsers } from "./generators/accounts.ts";
export type { SeedSettings } from "./organisation.ts";
export { seededRandomness } from "./randomness.ts";

/** The result of the seeding, for the user to try. */
export interface SeedReport {
  readonly documents: number;
  readonly accounts: readonly Account[];
  readonly calls: readonly Call[];
}

/** The approximate number of documents at scale 1. */
const documentsOfScale = 2_000;

/** Describes the users, groups and projects of a store besides those of a first start; undefined if there are none. */
export function organisationIn(store: Store): string | undefined {
  const counts = { people: store.of(users).size - 1, groups: store.of(groups).size, projects: store.of(projects).size };
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return found.length === 0 ? undefined : found.map(([what, count]) => `${count} ${what}`).join(", ");
}

/**
 * Fills a store with a plausible organisation, the same for the same settings. Calls `begin` at the start of its history, to
 * create root unless it exists. No other process may use the store: an interrupted seed leaves a part of it. Calls `report`
 * with the number of documents so far and in total; an error that it throws ends the seed.
 */
export async function seedOrganisation(
  context: Context,
  settings: SeedSettings,
  begin: (context: Context) => void,
  report: (documents: number, total: number) => void = () => {},
): Promise<SeedReport> {
  const { store, externalUrl } = context;
  const organisation = new Organisation(context, settings);
  const { writing, until } = organisation;
  const total = documentsOfScale * settings.scale;
  const reportDocuments = (documents: number) => report(documents, total);
  const run = (steps: Iterator<unknown>) => writing.run(store, steps, reportDocuments);

  begin(organisation.context);
  await store.settled();
  const companies = [{ path: "skylark", name: "Skylark Instruments" }, ...companiesOf(organisation)];
  await run(seedPeople(organisation, companies));
  await run(seedGroups(organisation));
  await run(seedProjects(organisation));
  await run(seedRoles(organisation));
  await run(seedPlanning(organisation));
  await run(seedMoves(organisation));
  await seedRepositories(organisation);
  await seedPackages(organisation);
  await seedSnippets(organisation);
  await seedPipelines(organisation, run);
  await run(seedErrors(organisation));
  await run(seedUserExtras(organisation));

  // Issues, and alerts between them, make up the rest of the total.
  const left = Math.max(total - writing.documents, 600);
  const alertsPerIssue = 0.06;
  const count = Math.floor(left / (documentsOfIssue + alertsPerIssue * documentsOfAlert));
  const alerts = new Alerts(organisation, externalUrl ?? "http://127.0.0.1:8080");
  const random = organisation.random("alerts or not");
  await run(
    seedIssues(organisation, count, (time) => {
      if (random.chance(alertsPerIssue)) alerts.at(time);
    }),
  );
  const accounts: Account[] = [];
  await writing.runOne(store, () => {
    // Some alerts are recent when the store is opened.
    for (let hours = 30; hours > 0; hours -= 5) alerts.at(until - (hours / 24) * dayMs);
    accounts.push(...makeAccounts(organisation));
  });
  await run(finishUsers(organisation));
  await run(finishProjects(organisation));
  await run(writing.writeTrail());
  report(writing.documents, writing.documents);
  return { documents: writing.documents, accounts, calls };
}
