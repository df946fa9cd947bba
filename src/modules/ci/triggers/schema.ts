import { type Static, Type } from "@sinclair/typebox";
import { dateTime, integer, nullable, optional, projectId, text } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

const moment = () => Type.String({ format: "date-time" });

/** triggers-and-pipelines 1. */
export const Trigger = Type.Object(
  {
    id: Type.Integer(),
    token: Type.String({ description: "whole for its owner, four characters for everybody else" }),
    description: Type.String(),
    created_at: moment(),
    updated_at: moment(),
    last_used: Type.Union([moment(), Type.Null()]),
    expires_at: Type.Union([moment(), Type.Null()]),
    owner: Type.Union([BasicUser, Type.Null()]),
  },
  { $id: "Trigger" },
);

export const TriggersInPath = Type.Object({ id: projectId() });
export const TriggerInPath = Type.Object({ id: projectId(), trigger_id: integer() });
export const CreateTrigger = Type.Object({
  id: projectId(),
  description: text({ maxLength: 255 }),
  expires_at: optional(nullable(dateTime())),
});
export const UpdateTrigger = Type.Object({
  id: projectId(),
  trigger_id: integer(),
  description: optional(text({ maxLength: 255 })),
});
export type NewTrigger = Omit<Static<typeof CreateTrigger>, "id">;
export type TriggerChange = Omit<Static<typeof UpdateTrigger>, "id" | "trigger_id">;
