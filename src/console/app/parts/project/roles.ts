/** The role names by access level. */
export const roles: Readonly<Record<number, string>> = {
  5: "minimal access",
  10: "guest",
  15: "planner",
  20: "reporter",
  30: "developer",
  40: "maintainer",
  50: "owner",
};

export function roleText(level: number | string): string {
  return roles[Number(level)] ?? String(level);
}
