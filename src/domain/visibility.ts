/** The readers of a group or project beside its members, from the narrowest to the widest (groups-and-projects 1). */
export const visibilities = ["private", "internal", "public"] as const;
export type Visibility = (typeof visibilities)[number];

export function isWiderThan(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) > visibilities.indexOf(other);
}
