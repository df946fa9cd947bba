/** Editions in rising order; each holds what the one before it holds (contract ground rules, "edition"). */
export const editions = ["community", "premium", "ultimate"] as const;
export type Edition = (typeof editions)[number];

/** Whether `edition` includes what is sold from `tier` upwards. */
export function includesTier(edition: Edition, tier: Edition): boolean {
  return editions.indexOf(edition) >= editions.indexOf(tier);
}
