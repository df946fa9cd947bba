import { dayMs } from "../../lib/datetime.ts";
import { groups } from "../../modules/groups-and-projects/groups/records.ts";
import { projects } from "../../modules/groups-and-projects/projects/records.ts";
import {
  type MovedKind,
  type StorageMoveRecord,
  storageMoves,
} from "../../modules/repositories/storage-moves/records.ts";
import type { Organisation } from "../organisation.ts";
import { moveFailures } from "../vocabulary/operations.ts";
import { hasHistory } from "./repositories.ts";

/**
 * Creates finished moves of repositories, before the repositories are written: a moved one is written to its new storage.
 * With a single storage, the moves lead to itself, as do moves that check a repository's files.
 */
export function* seedMoves(organisation: Organisation): Generator<undefined> {
  const { writing, until, context } = organisation;
  const random = organisation.random("moves");
  const [first = "default", second = first] = context.repositories.storageNames;
  const filled = organisation.projects.filter((project) => hasHistory(project) && !project.isArchived);
  for (const [at, project] of random.some(filled.slice(0, 40), organisation.count(5, 0.2)).entries()) {
    const time = Math.max(project.since + 3 * dayMs, until - (200 - 30 * at) * dayMs);
    if (at % 3 === 1) {
      insertMove(organisation, "project", project.record.id, [first, second], time, moveFailures[at % 2]);
      continue;
    }
    insertMove(organisation, "project", project.record.id, [first, second], time);
    project.record = writing.update(projects, { ...project.record, repository_storage: second });
    yield undefined;
  }
  const group = organisation.group("skylark/data");
  insertMove(organisation, "group", group.record.id, [first, second], until - 50 * dayMs);
  writing.update(groups, { ...group.record, repository_storage: second });
}

/** Inserts a move of one minute between storages. After a failed one, the repository stayed. */
export function insertMove(
  organisation: Organisation,
  kind: MovedKind,
  container_id: number,
  [source, destination]: readonly [string, string],
  time: number,
  failure: string | null = null,
): StorageMoveRecord {
  const { writing } = organisation;
  const moves = storageMoves[kind];
  return writing.insert(moves, {
    id: writing.nextId(moves.name),
    container_id,
    state: failure === null ? "finished" : "failed",
    source_storage_name: source,
    destination_storage_name: destination,
    error_message: failure,
    created_at: organisation.at(time),
    updated_at: organisation.at(time + 60_000),
  });
}
