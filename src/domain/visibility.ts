/** Who may read a group or project besides its members, from fewest to most (groups-and-projects 1). */
export const visibilities = ["private", "internal", "public"] as const;
export type Visibility = (typeof visibilities)[number];

export function isWiderThan(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) > visibilities.indexOf(other);
}
