import type { Context } from "../../kernel/context.ts";
import { type FaultMatch, type FaultRule, faultRules } from "./records.ts";
import { listFaults } from "./service.ts";

/** The head of a request, as rules look at it. */
export interface FaultCandidate {
  readonly method: string;
  /** undefined: no operation has the path. */
  readonly route: string | undefined;
  readonly path: string;
  readonly headers: Headers;
  /** Usernames of the caller, and of the user in sudo; asked for when a rule names one. */
  readonly users: () => readonly string[];
}

/** Returns the first rule that fits, and counts it; undefined where the request passes. */
export function applyFaults(context: Context, candidate: FaultCandidate): FaultRule | undefined {
  if (context.store.of(faultRules).size === 0) return undefined;
  const rule = listFaults(context).find((each) => !isUsedUp(each) && fits(each.match, candidate));
  if (rule === undefined) return undefined;
  const isHit = rule.fitted >= rule.after && isDrawn(context, rule);
  const counted = { ...rule, fitted: rule.fitted + 1, hits: rule.hits + (isHit ? 1 : 0) };
  context.store.transact((tx) => tx.update(faultRules, counted));
  return isHit ? rule : undefined;
}

function isUsedUp({ times, hits }: FaultRule): boolean {
  return times !== null && hits >= times;
}

/** A sure thing draws nothing, so that it changes no later draw. */
function isDrawn({ randomness }: Context, { probability }: FaultRule): boolean {
  return probability === 1 || (probability > 0 && randomness.fraction() < probability);
}

function fits({ method, route, path, user, header }: FaultMatch, candidate: FaultCandidate): boolean {
  return (
    (method === undefined || method === candidate.method) &&
    (route === undefined || route === candidate.route) &&
    (path === undefined || matchesPath(path, candidate.path)) &&
    (header === undefined || hasHeader(header, candidate.headers)) &&
    (user === undefined || candidate.users().includes(user))
  );
}

function hasHeader(wanted: string, headers: Headers): boolean {
  const [name = "", ...rest] = wanted.split(":");
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim())) return false;
  const sent = headers.get(name.trim());
  return sent !== null && (rest.length === 0 || sent === rest.join(":").trim());
}

/** `*` stands for any text. Each fixed part is searched from the end of the one before, so that no part is searched twice. */
function matchesPath(pattern: string, path: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
