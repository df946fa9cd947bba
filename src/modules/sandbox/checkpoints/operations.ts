import { Type } from "@sinclair/typebox";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import { presentCheckpoint } from "./present.ts";
import { CheckpointEntity, CheckpointParams } from "./schema.ts";
import {
  createCheckpoint,
  deleteCheckpoint,
  getCheckpoint,
  listCheckpoints,
  resetSandbox,
  restoreCheckpoint,
} from "./service.ts";

const ofSandbox = { root: true, who: "administrator_first", http: { partOf: "sandbox" } } as const;

/** sandbox 1 */
export const checkpointOperations = [
  operation({
    ...ofSandbox,
    method: "POST",
    path: "/-/sandbox/reset",
    summary: "Reset the sandbox to its first start",
    params: Type.Object({}),
    answer: noContent(),
    handle({ context }) {
      return resetSandbox(context);
    },
  }),
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/checkpoints",
    summary: "List checkpoints",
    params: Type.Object({}),
    answer: ok(Type.Array(CheckpointEntity)),
    async handle({ context }) {
      return listCheckpoints(context).map(presentCheckpoint);
    },
  }),
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/checkpoints/:name",
    summary: "Get a checkpoint",
    params: CheckpointParams,
    answer: ok(CheckpointEntity),
    async handle({ context, params }) {
      return presentCheckpoint(getCheckpoint(context, params.name));
    },
  }),
  operation({
    ...ofSandbox,
    method: "PUT",
    path: "/-/sandbox/checkpoints/:name",
    summary: "Create or replace a checkpoint",
    params: CheckpointParams,
    answer: created(CheckpointEntity),
    async handle({ context, params }) {
      return presentCheckpoint(await createCheckpoint(context, params.name));
    },
  }),
  operation({
    ...ofSandbox,
    method: "DELETE",
    path: "/-/sandbox/checkpoints/:name",
    summary: "Delete a checkpoint",
    params: CheckpointParams,
    answer: noContent(),
    handle({ context, params }) {
      return deleteCheckpoint(context, params.name);
    },
  }),
  operation({
    ...ofSandbox,
    method: "POST",
    path: "/-/sandbox/checkpoints/:name/restore",
    summary: "Restore a checkpoint",
    params: CheckpointParams,
    answer: noContent(),
    handle({ context, params }) {
      return restoreCheckpoint(context, params.name);
    },
  }),
];
