import type { Scenario, Step, Value } from "../scenario.ts";
import { group } from "../setup.ts";
import { unique } from "../values.ts";

type Attributes = Readonly<Record<string, Value>>;

/** Creates a private project for the area, in the group of the run. */
export function makeProject(scenario: Scenario, path: string, attributes: Attributes = {}): Step {
  return scenario.call("POST /projects", {}, { json: { path, namespace_id: group.get("id"), ...attributes } });
}

/** Creates a private group for the area, in the group of the run. */
export function makeGroup(scenario: Scenario, path: string, attributes: Attributes = {}): Step {
  return scenario.call("POST /groups", {}, { json: { name: path, path, parent_id: group.get("id"), ...attributes } });
}

/** Creates another top-level group, which all signed-in users see. It is deleted at the end of the run. */
export function makeInternalGroup(scenario: Scenario, name: string): Step {
  const path = unique(`outpost-selftest-${name}`);
  const made = scenario.call("POST /groups", {}, { json: { name: path, path, visibility: "internal" } });
  scenario.undo(made, "DELETE /groups/:id", { id: made.get("id") }, { gone: "GET /groups/:id" });
  return made;
}

/** A PNG image of one pixel. */
export const onePixel = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
