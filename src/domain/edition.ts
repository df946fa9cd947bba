/** Editions in ascending order. Each includes the ones before it (contract ground rules, "edition"). */
export const editions = ["community", "premium", "ultimate"] as const;
export type Edition = (typeof editions)[number];

/** True when `edition` includes the features of `tier`. */
export function includesTier(edition: Edition, tier: Edition): boolean {
  return editions.indexOf(edition) >= editions.indexOf(tier);
}
