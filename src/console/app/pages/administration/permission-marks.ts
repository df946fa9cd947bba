import type { DescribedOperation } from "../../api/schemas.ts";

/** The kinds of callers with their access levels. Those without a role come first. */
export const callers = {
  anonymous: { label: "Anonymous", level: 0 },
  signed_in: { label: "Signed in", level: 0 },
  guest: { label: "Guest", level: 10 },
  planner: { label: "Planner", level: 15 },
  reporter: { label: "Reporter", level: 20 },
  developer: { label: "Developer", level: 30 },
  maintainer: { label: "Maintainer", level: 40 },
  owner: { label: "Owner", level: 50 },
  administrator: { label: "Administrator", level: 50 },
  job: { label: "Job token", level: 0 },
} as const;

export type CallerKind = keyof typeof callers;

/** `if visible`: the call needs no role, but the caller must see the group or project. */
export type Mark = "yes" | "no" | "if visible";

/** Returns whether a kind of caller may call an operation, by its access rule. */
export function markOf(kind: CallerKind, { who, takesJobToken }: DescribedOperation): Mark {
  if (kind === "job") return takesJobToken ? "yes" : "no";
  if (typeof who !== "string") {
    const { level } = callers[kind];
    if (level > 0) return level >= who.level ? "yes" : "no";
    const isVisible = who.level === 0 && (kind !== "anonymous" || who.isAnonymousWelcome);
    return isVisible ? "if visible" : "no";
  }
  const may = {
    anyone: true,
    signed_in: kind !== "anonymous",
    administrator: kind === "administrator",
    administrator_first: kind === "administrator",
    job: false,
  };
  return may[who] ? "yes" : "no";
}
