import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { findOperation } from "../../../http/entry/in-process.ts";
import type { CallExplanation } from "../../../modules/kernel/call-explanation.ts";
import { operations } from "../../../modules/operations.ts";
import { printJson, printTable } from "../../output/table.ts";
import { userNamed, withStore, wrongUse } from "../../store-access.ts";
import type { StoreFlags } from "../../store-command.ts";
import { encodedPath } from "../client/api-path.ts";

export interface ExplainFlags extends StoreFlags {
  /** A username, an id, or `nobody` for an anonymous caller. */
  readonly user: string;
  readonly method: string;
  /** A path below `/api/v4`, or a whole one. The path of a project or group may have plain slashes. */
  readonly path: string;
}

/**
 * Prints the operation of a call, who may make it, and whether a user may, with the source of their role. Returns 0 when
 * they may, else 4. Throws `StartError`, and the errors of `withStore`.
 */
export async function explain(flags: ExplainFlags): Promise<number> {
  const method = flags.method.toUpperCase();
  const path = (await encodedPath(method, flags.path)).replace(/[?#].*$/, "").replace(/^\/?(?:api\/v4)?\/?/, "/");
  if (findOperation(operations, method, path, decode) === undefined) {
    throw new StartError(`the API has no ${method} ${flags.path}`, await hintFor(flags), { exitCode: exitCodes.usage });
  }
  let isAllowed = false;
  await withStore(flags, async (store) => {
    const user = flags.user === "nobody" ? {} : { user_id: String((await userNamed(store, flags.user)).id) };
    const values = { ...user, method, path };
    const explanation = (await store.call({ method: "GET", path: "/-/explanation", values })) as CallExplanation;
    isAllowed = explanation.allowed;
    if (flags.json) await printJson(explanation);
    else await printTable(["what", "is"], rowsOf(explanation));
  });
  return isAllowed ? 0 : exitCodes.answered4xx;
}

/** Returns a hint for a path such as `skylark/rocket`, which lacks `projects/`. */
async function hintFor({ user, method, path }: ExplainFlags): Promise<string> {
  const given = `projects/${path}`;
  const isProject = !path.startsWith("/") && (await encodedPath(method, given)) !== given;
  return isProject ? `outpost explain ${user} ${method} ${given}` : "outpost explain --help";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongUse("explain", `${JSON.stringify(text)} is not a valid encoded text`);
  }
}

function rowsOf({ user, operation, rule, role, ways, allowed, reason }: CallExplanation): string[][] {
  return [
    ["user", user],
    ["operation", `${operation.method} ${operation.path}: ${operation.summary}`],
    ["who may", rule],
    ...(role === null ? [] : [["role", `${role.name} (${role.access_level})`]]),
    ...ways.map(({ name, access_level, from }) => ["by", `${name} (${access_level}): ${from}`]),
    ["result", allowed ? reason : `refused, ${reason}`],
  ];
}
