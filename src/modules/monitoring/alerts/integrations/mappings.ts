/** The field mappings of an integration, checked. */

import { Failure } from "../../../../domain/failure.ts";
import { environmentAlias, type FieldMapping, type MappedField, mappedFields } from "../payload/index.ts";

/** A mapping as it was sent. */
export interface GivenMapping {
  readonly field_name: string;
  readonly path: readonly unknown[];
  readonly type: FieldMapping["type"];
  readonly label?: string | null;
}

/** The most characters of all stored mappings of an integration. */
const lengthMax = 65_536;

/** Mappings to be stored (alerts A.7). Throws 400 for an unknown field, a path that leads nowhere, and for too many. */
export function mappingsOf(given: readonly GivenMapping[]): FieldMapping[] {
  const mappings = given.map(({ field_name, path, type, label }, at) => {
    const field = fieldOf(field_name);
    if (field === undefined) {
      throw refuse(`payload_attribute_mappings[${at}][field_name] does not have a valid value`);
    }
    if (path.length === 0) throw refuse(`payload_attribute_mappings[${at}][path] is empty`);
    if (!path.every(isStep)) throw refuse(`payload_attribute_mappings[${at}][path] is invalid`);
    return { field_name: field, path: path.filter(isStep), type, ...(label ? { label } : {}) };
  });
  if (JSON.stringify(mappings).length > lengthMax) throw refuse("payload_attribute_mappings is invalid");
  return mappings;
}

function fieldOf(name: string): MappedField | undefined {
  const lower = name.toLowerCase();
  return mappedFields.find((field) => field === (lower === environmentAlias ? "service_environment_name" : lower));
}

function isStep(step: unknown): step is string | number {
  return typeof step === "string" || (typeof step === "number" && Number.isInteger(step));
}

function refuse(error: string): Failure {
  return new Failure("parameters", { error });
}
