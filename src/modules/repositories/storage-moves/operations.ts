import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { accepted, created, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { type ContainerKind, groupKind, projectKind, snippetKind } from "./kinds.ts";
import { presentMove } from "./present.ts";
import { destination, moveId, StorageUse, source, storageMoveSchema } from "./schema.ts";
import { getMove, listMoves } from "./service.ts";
import { scheduleAll, scheduleMove } from "./service-schedule.ts";
import { listStorages } from "./service-storages.ts";

/** storage-moves 2, for one kind of containers. */
function operationsOf(kind: ContainerKind): Operation[] {
  const { kind: name, plural } = kind;
  const Move = storageMoveSchema(kind);
  const paths = { all: `/${name}_repository_storage_moves`, own: `/${plural}/:id/repository_storage_moves` };
  const inMoves = { repository_storage_move_id: moveId() };
  const inContainer = { id: kind.idParameter() };
  const common = {
    who: "administrator_first" as const,
    ...(kind.tier === undefined ? {} : { tier: kind.tier, isUnknownBelowTier: true as const }),
  };
  return [
    operation({
      ...common,
      method: "GET",
      path: paths.all,
      summary: `List storage moves of ${plural}`,
      params: Type.Object({}),
      answer: pageOf(Move),
      handle(call) {
        const { context, page } = call;
        return mapPage(listMoves(context.store, name, undefined, page), (each) => presentMove(each, call, { kind }));
      },
    }),

    operation({
      ...common,
      method: "GET",
      path: `${paths.all}/:repository_storage_move_id`,
      summary: `Get a storage move of a ${name}`,
      params: Type.Object(inMoves),
      answer: ok(Move),
      handle(call) {
        const { context, params } = call;
        return presentMove(getMove(context.store, name, params.repository_storage_move_id), call, { kind });
      },
    }),

    operation({
      ...common,
      method: "GET",
      path: paths.own,
      summary: `List the storage moves of one ${name}`,
      params: Type.Object(inContainer),
      answer: pageOf(Move),
      handle(call) {
        const { context, caller, params, page } = call;
        const { id } = kind.get(context, caller, idOf(params));
        return mapPage(listMoves(context.store, name, id, page), (each) => presentMove(each, call, { kind }));
      },
    }),

    operation({
      ...common,
      method: "GET",
      path: `${paths.own}/:repository_storage_move_id`,
      summary: `Get a storage move of one ${name}`,
      params: Type.Object({ ...inContainer, ...inMoves }),
      answer: ok(Move),
      handle(call) {
        const { context, caller, params } = call;
        const { id } = kind.get(context, caller, idOf(params));
        const move = getMove(context.store, name, Number(params.repository_storage_move_id), id);
        return presentMove(move, call, { kind });
      },
    }),

    operation({
      ...common,
      method: "POST",
      path: paths.own,
      summary: `Schedule a storage move of a ${name}`,
      params: Type.Object({ ...inContainer, destination_storage_name: destination() }),
      answer: created(Move),
      failures: ["invalid"],
      handle(call) {
        const { context, caller, params } = call;
        const container = kind.get(context, caller, idOf(params));
        const to = params.destination_storage_name as string | null | undefined;
        return presentMove(scheduleMove(context, caller, kind, container, to), call, { kind });
      },
    }),

    operation({
      ...common,
      method: "POST",
      path: paths.all,
      summary: `Schedule storage moves of all ${plural} on a storage`,
      params: Type.Object({ source_storage_name: source(), destination_storage_name: destination() }),
      answer: accepted(),
      handle({ context, caller, params }) {
        scheduleAll(context, caller, kind, params.source_storage_name, params.destination_storage_name);
      },
    }),
  ];
}

/** A number, or the full path of a project or group. */
function idOf(params: object): string | number {
  return (params as { id: string | number }).id;
}

export const storageMoveOperations: readonly Operation[] = [
  ...[projectKind, snippetKind, groupKind].flatMap(operationsOf),

  operation({
    method: "GET",
    path: "/-/storages",
    root: true,
    summary: "List the storages with their contents and disks",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(StorageUse)),
    handle({ context }) {
      return listStorages(context);
    },
  }),
];
