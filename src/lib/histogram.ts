/** Upper bounds of the buckets, in seconds; whatever is longer counts in none of them. */
export const durationBounds: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** How often something took how long: counted from the start on, for whoever asks later. */
export class Durations {
  /** For each bound, how many were that short or shorter but longer than the bound before. */
  readonly counts: number[] = durationBounds.map(() => 0);
  /** Of all, those beyond the last bound too. */
  count = 0;
  seconds = 0;

  observe(seconds: number): void {
    this.count += 1;
    this.seconds += seconds;
    const bucket = durationBounds.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
}
