/** The choice of the storage for a new repository. */

import { weightsOf } from "../../core/application-settings/index.ts";
import type { Context } from "../../kernel/context.ts";

/** The storage of a new repository: drawn by weight; the first one where all weights are 0 (storage-moves 1). */
export function pickStorage(context: Context): string {
  const weights = Object.entries(weightsOf(context));
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const first = context.repositories.storageNames[0] as string;
  if (total === 0) return first;
  let left = context.randomness.below(total);
  for (const [name, weight] of weights) {
    if (left < weight) return name;
    left -= weight;
  }
  return first;
}
