/** Upper bounds of the buckets of durations, in seconds. */
const durationBounds: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const countBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Counts observed values from the start on, for later reads. */
export class Histogram {
  /** Upper bounds of the buckets, ascending; a larger value counts in none of them. */
  readonly bounds: readonly number[];
  /** The number of values up to each bound and above the bound before. */
  readonly counts: number[];
  /** The number of all values, including those beyond the last bound. */
  count = 0;
  sum = 0;

  private constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = bounds.map(() => 0);
  }

  static ofSeconds(): Histogram {
    return new Histogram(durationBounds);
  }

  static ofCounts(): Histogram {
    return new Histogram(countBounds);
  }

  observe(value: number): void {
    this.count += 1;
    this.sum += value;
    for (let bucket = 0; bucket < this.bounds.length; bucket += 1) {
      if (value > (this.bounds[bucket] as number)) continue;
      this.counts[bucket] = (this.counts[bucket] as number) + 1;
      return;
    }
  }
}
