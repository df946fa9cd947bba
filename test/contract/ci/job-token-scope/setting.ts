import { accessLevels } from "../../../../src/domain/access-level.ts";
import type { ProjectRecord } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import type { Json, Person, World } from "../../../support/fixtures/world.ts";

export interface Shop {
  /** A private project in a group of its own. */
  readonly source: ProjectRecord;
  /** Its full path. */
  readonly path: string;
  readonly mia: Person;
  /** A call of mia's below `…/job_token_scope`, unless another token is given. */
  readonly call: (
    method: string,
    end?: string,
    json?: object,
    token?: string,
  ) => Promise<{ status: number; body: Json; headers: Headers }>;
}

let count = 0;

/** A project with mia as its maintainer. */
export async function openShop(world: World, attributes: Partial<ProjectRecord> = {}): Promise<Shop> {
  count += 1;
  const { group, project, member } = placesOf(world);
  const owner = group({ path: `bank${count}` });
  const source = project(owner.id, { path: "ledger", ...attributes });
  const mia = await world.user();
  member(source, mia.id, accessLevels.maintainer);
  return {
    source,
    path: `bank${count}/ledger`,
    mia,
    call: (method, end = "", json, token = mia.token) =>
      world.call(method, `/projects/${source.id}/job_token_scope${end}`, {
        token,
        ...(json === undefined ? {} : { json }),
      }),
  };
}

/** An error of the operations on lists. */
export const refusal = (status: number, message: string) => [status, { message }];
