import { systemClock } from "../../../src/domain/clock.ts";
import type { Visibility } from "../../../src/domain/visibility.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { insertGroup } from "../../../src/modules/core/namespaces/index.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { Store } from "../../../src/store/index.ts";

export interface ContainerCounts {
  readonly groups: number;
  readonly projects: number;
}

/** Half of all is public, a third private, the rest internal, in no order of the ids. */
function visibilityOf(mixed: number): Visibility {
  const sixth = mixed % 6;
  return sixth < 3 ? "public" : sixth < 5 ? "private" : "internal";
}

const batch = 1_000;
const firstTime = Date.UTC(2020, 0, 1);

/**
 * Fills the store of a folder that no server uses: groups, a tenth of them below others, and projects in them, of which
 * three have the member as a developer.
 */
export async function fillContainers(folder: string, counts: ContainerCounts, memberId: number): Promise<void> {
  const house = { folder, collections, clock: systemClock, randomness: systemRandomness, log: silentLog };
  const store = await Store.open({
    ...house,
    onDiskFailure(error) {
      throw error;
    },
  });
  const groupIds: number[] = [];
  for (let made = 0; made < counts.groups + counts.projects; made += batch) {
    store.transact((tx) => {
      const end = Math.min(made + batch, counts.groups + counts.projects);
      for (let at = made; at < end; at += 1) {
        const mixed = (at * 7919) % 1_000_003;
        const time = new Date(firstTime + at * 60_000).toISOString();
        const shared = {
          name: `Place ${mixed.toString(36)}`,
          path: `place-${mixed.toString(36)}`,
          visibility: visibilityOf(mixed),
          settings: {},
          avatar: null,
          creator_id: 1,
          runners_token: "",
          repository_storage: "default",
          created_at: time,
          updated_at: time,
        };
        if (at < counts.groups) {
          const parent_id = at % 10 === 9 ? (groupIds[at - 9] as number) : null;
          groupIds.push(insertGroup(tx, { ...shared, parent_id, description: "" }).id);
          continue;
        }
        const id = tx.nextId("projects");
        tx.insert(projects, {
          ...shared,
          id,
          namespace_id: groupIds[mixed % counts.groups] as number,
          description: null,
          archived: mixed % 10 === 0,
          default_branch: null,
          topics: [`topic${mixed % 50}`],
          import_url: null,
          star_count: mixed % 7,
          last_activity_at: time,
        });
        if (at >= counts.groups + 3) continue;
        tx.insert(memberships, {
          id: tx.nextId("memberships"),
          source_type: "project",
          source_id: id,
          user_id: memberId,
          access_level: 30,
          state: "active",
          expires_at: null,
          created_by_id: null,
          created_at: time,
          updated_at: time,
        });
      }
    });
    await store.settled();
  }
  await store.close();
}
