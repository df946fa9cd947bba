/** Rejects undeclared keys where a declaration says so: a misspelt key of a rule must not change its meaning. */

import type { TObject } from "@sinclair/typebox";
import { nearest } from "../../lib/text/nearest.ts";
import { shownLengthMax } from "./coercion.ts";
import type { Refusals } from "./refusals.ts";
import { optionsOf } from "./schema-introspection.ts";

/** Adds an error for each undeclared key. `labelOf` returns the name of a key in errors. */
type UnknownKeyRefusal = (keys: readonly string[], labelOf: (key: string) => string, refusals: Refusals) => void;

/** Parameters of every request: credentials, and the user to act as. */
const ofEveryRequest = ["private_token", "access_token", "job_token", "sudo"];
/** The most reported errors. */
const refusalsMax = 10;

/** Returns undefined when the declaration ignores undeclared keys. */
export function unknownKeyRefusal(schema: TObject): UnknownKeyRefusal | undefined {
  if (optionsOf(schema).refusesUnknown !== true) return undefined;
  const declared = Object.keys(schema.properties);
  const known = new Set([...declared, ...ofEveryRequest]);
  return (keys, labelOf, refusals) => {
    for (const key of keys.filter((each) => !known.has(each)).slice(0, refusalsMax)) {
      const shown = key.slice(0, shownLengthMax).toWellFormed();
      refusals.add(`${labelOf(shown)} is unknown; the nearest is ${labelOf(nearest(shown, declared))}`);
    }
  };
}
