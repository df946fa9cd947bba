/** Upper bounds of the duration buckets, in seconds. */
const durationBounds: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const countBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** A histogram of all values since the start. */
export class Histogram {
  /** Upper bounds of the buckets, ascending. A larger value is in no bucket. */
  readonly bounds: readonly number[];
  /** The number of values in each bucket. */
  readonly counts: number[];
  /** The number of all values, including those above the last bound. */
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
