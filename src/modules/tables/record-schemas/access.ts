import { accessLevels } from "../../../domain/access-level.ts";
import { accessRequests, groupLinks, jobTokenLinks, memberships } from "../../core/access/index.ts";
import { day, moment, nullable, oneOf, type RecordShape, shapeOf, whole } from "./shape.ts";

const source = oneOf("group", "project");
const level = oneOf(...Object.values(accessLevels));

export const shapes: readonly RecordShape[] = [
  shapeOf(memberships, {
    id: whole,
    source_type: source,
    source_id: whole,
    user_id: whole,
    access_level: level,
    state: oneOf("active", "awaiting"),
    expires_at: nullable(day),
    created_by_id: nullable(whole),
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(groupLinks, {
    id: whole,
    source_type: source,
    source_id: whole,
    group_id: whole,
    group_access: level,
    expires_at: nullable(day),
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(accessRequests, {
    id: whole,
    source_type: source,
    source_id: whole,
    user_id: whole,
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(jobTokenLinks, {
    id: whole,
    source_project_id: whole,
    target_type: source,
    target_id: whole,
    created_at: moment,
  }),
];
