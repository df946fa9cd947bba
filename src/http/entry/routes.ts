import type { Edition } from "../../domain/edition.ts";
import { nameOfOperation } from "../../lib/loop-activity.ts";
import type { Context } from "../../modules/kernel/context.ts";
import { type Operation, pathParameters, replacePathParameters } from "../../modules/kernel/operation.ts";
import type { BodySizes } from "../body/body-rules.ts";
import { declaredFor } from "../params/edition-parameters.ts";
import { compileParameters, type ReadParameters } from "../params/params.ts";
import { optionsOf } from "../params/schema-introspection.ts";
import type { PathValues } from "../params/values.ts";
import { withPageParameters } from "../responses/pagination.ts";

export const apiPrefix = "/api/v4";

/** A mounted operation. The first request compiles its parameter reader. */
export interface Route {
  readonly operation: Operation;
  /** The number of the operation in `LoopActivity`. */
  readonly number: number;
  /** The names of the path parameters by position. */
  readonly names: readonly string[];
  /** The positions of parameters that accept only digits. */
  readonly digits: readonly number[];
  reader: ReadParameters | undefined;
  /** Computed for the first body. */
  sizes: BodySizes | undefined;
}

export function readyRoute(operation: Operation, { activity }: Pick<Context, "activity">): Route {
  const names = pathParameters(operation.path);
  const digits = [...names.keys()].filter((place) => {
    const schema = operation.params.properties[names[place] as string];
    return schema !== undefined && optionsOf(schema).routeOnly === true;
  });
  const number = activity.numberOf(nameOfOperation(operation.method, operation.path));
  return { operation, number, names, digits, reader: undefined, sizes: undefined };
}

/** Returns the full path of an operation. */
export function wholePath({ root }: Pick<Operation, "root">, path: string): string {
  return root === true ? path : `${apiPrefix}${path}`;
}

/**
 * Returns the paths to mount. Elysia needs the same name for parameters at the same position, so they are numbered. A fixed
 * end may have `.json`.
 */
export function pathSpellings(operation: Operation): string[] {
  const { path, root } = operation;
  let count = 0;
  const counted = wholePath(
    operation,
    replacePathParameters(path, () => `:${count++}`),
  );
  return root === true || /:[a-z_]+$/.test(path) ? [counted] : [counted, `${counted}.json`];
}

/** Returns the paths of a wildcard operation. A fixed end may have `.json`. */
export function wildcardPaths(operation: Operation): string[] {
  const { path, http } = operation;
  const whole = wholePath(operation, path);
  return http?.isReceiver === undefined || /:[a-z_]+$/.test(path) ? [whole] : [whole, `${whole}.json`];
}

export function compileRoute({ params: declared, rules, answer }: Operation, edition: Edition): ReadParameters {
  const params = declaredFor(edition, declared);
  return compileParameters(answer.kind === "page" ? withPageParameters(params, answer) : params, rules);
}

export function namedPath({ names }: Route, path: PathValues): PathValues {
  const named: Record<string, string> = {};
  for (let place = 0; place < names.length; place += 1) named[names[place] as string] = path[place] as string;
  return named;
}
