/** Visibilities of a group or project, from the fewest readers to the most (groups-and-projects 1). */
export const visibilities = ["private", "internal", "public"] as const;
export type Visibility = (typeof visibilities)[number];

export function isWiderThan(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) > visibilities.indexOf(other);
}
