import {
  clientKeys,
  errorEvents,
  errorPayloads,
  errorTrackingSettings,
  trackedErrors,
} from "../../monitoring/error-tracking/index.ts";
import { flag, moment, nullable, oneOf, optional, type RecordShape, shapeOf, text, whole } from "./shape.ts";

export const shapes: readonly RecordShape[] = [
  shapeOf(errorTrackingSettings, { id: whole, active: flag, integrated: flag }),
  shapeOf(clientKeys, { id: whole, project_id: whole, active: flag, public_key: text }),
  shapeOf(trackedErrors, {
    id: whole,
    project_id: whole,
    name: text,
    actor: text,
    platform: nullable(text),
    description: text,
    status: oneOf("unresolved", "resolved", "ignored"),
    count: whole,
    first_seen: moment,
    last_seen: moment,
    first_event_id: whole,
    last_event_id: whole,
  }),
  shapeOf(errorEvents, {
    id: whole,
    error_id: whole,
    description: text,
    environment: nullable(text),
    level: nullable(text),
    occurred_at: moment,
    payload: optional(text),
  }),
  shapeOf(errorPayloads, { id: whole, project_id: whole, blob: text }),
];
