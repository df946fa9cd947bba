import type { Config } from "../../../src/config/config.ts";
import { type AccessLevel, accessLevels } from "../../../src/domain/access-level.ts";
import { type Visibility, visibilities } from "../../../src/domain/visibility.ts";
import type { ModuleManifest } from "../../../src/modules/kernel/module.ts";
import type { Disk } from "../../../src/store/index.ts";
import { protectNoDefaultBranch } from "../../support/fixtures/branch-protection.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type CallOptions, type Person, startWorld, type World } from "../../support/fixtures/world.ts";
import { startSmtpServer } from "../../support/process/smtp-server.ts";

/** One call of an operation that its rightful caller would make, ready to be sent by anybody. */
export interface Sample {
  readonly path: string;
  readonly options?: CallOptions;
}

/** A group of one visibility with a project of the same in it, and one member for each role. */
export interface Place {
  readonly visibility: Visibility;
  readonly groupId: number;
  readonly projectId: number;
}

/** Makes the call of an operation: a new one for each caller, so that destructive operations always find something. */
export type MakeSample = (caller: Person, place: Place) => Sample | Promise<Sample>;

/** One who tries the door of an operation in a group or project. */
export interface Tester {
  readonly name: string;
  readonly person: Person;
  /** Level in the place's group, and so in its project. */
  readonly level: AccessLevel;
  readonly isExternal: boolean;
  readonly isAdministrator: boolean;
}

/** Calls that a test makes, by `METHOD /path` as declared. */
export type MadeSamples = Readonly<Record<string, MakeSample>>;

/** The sample of an operation. */
export interface OperationSample {
  readonly make: MakeSample;
  /** The status for those who see the place; undefined: as declared. */
  readonly expected: (tester: Tester, place: Place) => number | undefined;
}

/** `METHOD /path` as declared → its sample. */
export type Samples = Readonly<Record<string, OperationSample>>;

/** The users and places of the permission matrix. */
export interface Scene {
  readonly world: World;
  /** A plain user. */
  readonly ann: Person;
  /** An administrator. */
  readonly boss: Person;
  readonly blocked: Person;
  readonly places: Readonly<Record<Visibility, Place>>;
  /** A member of each role in every place, a stranger, an external stranger, and an administrator. */
  readonly testers: readonly Tester[];
  /** Different at each call: for names that must be new. */
  readonly fresh: () => string;
}

export async function setScene(
  disk?: Disk,
  settings: Partial<Config> = {},
  modules?: readonly ModuleManifest[],
): Promise<Scene> {
  // Mails can be sent again where there is a server for them. It takes none: their times would be of the moment.
  const { port } = await startSmtpServer({ CONNECT: "" });
  const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${port}`, ...settings }, {}, modules, disk);
  await world.rootPasswordStored();
  await protectNoDefaultBranch(world);
  const ann = await world.user({ username: "ann" });
  const boss = await world.user({ username: "boss", admin: true });
  const blocked = await world.user({ username: "blocked" });
  world.alter(blocked.id, { state: "blocked" });
  let count = 0;
  const fresh = () => {
    count += 1;
    return `fresh${count}`;
  };
  const testers = await makeTesters(world, boss);
  const places = Object.fromEntries(
    visibilities.map((visibility) => [visibility, makePlace(world, visibility, testers)]),
  ) as Record<Visibility, Place>;
  return { world, ann, boss, blocked, fresh, places, testers };
}

const roles = ["guest", "planner", "reporter", "developer", "maintainer", "owner"] as const;

async function makeTesters(world: World, boss: Person): Promise<Tester[]> {
  const testers: Tester[] = [];
  for (const role of roles) {
    const person = await world.user({ username: `the-${role}` });
    testers.push({ name: role, person, level: accessLevels[role], isExternal: false, isAdministrator: false });
  }
  const nobody = { level: accessLevels.none, isAdministrator: false };
  const stranger = await world.user({ username: "stranger" });
  const external = await world.user({ username: "external", external: true });
  testers.push({ name: "non-member", person: stranger, isExternal: false, ...nobody });
  testers.push({ name: "external user", person: external, isExternal: true, ...nobody });
  testers.push({
    name: "administrator",
    person: boss,
    level: accessLevels.owner,
    isExternal: false,
    isAdministrator: true,
  });
  return testers;
}

/** Straight in the store: what stands here must not depend on the operations that are tried. */
function makePlace(world: World, visibility: Visibility, testers: readonly Tester[]): Place {
  const { group: makeGroup, project: makeProject, member } = placesOf(world);
  const group = makeGroup({ path: `place-${visibility}`, visibility });
  const project = makeProject(group.id, { path: "project", visibility });
  for (const { person, level, isAdministrator } of testers) {
    if (level !== accessLevels.none && !isAdministrator) member(group, person.id, level);
  }
  return { visibility, groupId: group.id, projectId: project.id };
}
