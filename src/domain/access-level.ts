/** Levels of a membership (members-and-access 1). */
export const accessLevels = {
  none: 0,
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

export type AccessLevel = (typeof accessLevels)[keyof typeof accessLevels];

const names: Readonly<Record<AccessLevel, string>> = {
  0: "No access",
  5: "Minimal Access",
  10: "Guest",
  15: "Planner",
  20: "Reporter",
  30: "Developer",
  40: "Maintainer",
  50: "Owner",
};

/** Returns the role name of a level, such as `Developer` for 30, as in messages and audit events. */
export function accessLevelName(level: AccessLevel): string {
  return names[level];
}

export function isAccessLevel(value: number): value is AccessLevel {
  return value in names;
}

export function lowerLevel(one: AccessLevel, other: AccessLevel): AccessLevel {
  return Math.min(one, other) as AccessLevel;
}
