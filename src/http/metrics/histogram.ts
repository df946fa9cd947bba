import type { Registry } from "prom-client";
import { type Durations, durationBounds } from "../../lib/histogram.ts";

export interface HistogramDeclaration {
  readonly name: string;
  readonly help: string;
  readonly read: () => Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly durations: Durations }>;
}

/** A histogram of the library over durations that are counted elsewhere: it would take none but its own. */
export function addHistogram(
  { Histogram }: typeof import("prom-client"),
  registry: Registry,
  { name, help, read }: HistogramDeclaration,
): void {
  const histogram = new Histogram({ name, help, registers: [registry], buckets: [...durationBounds] });
  Object.assign(histogram, {
    async getForPromString() {
      return { name, help, type: "histogram", values: [...read()].flatMap((each) => valuesOf(name, each)) };
    },
  });
}

function valuesOf(
  name: string,
  { labels, durations }: { readonly labels: Readonly<Record<string, string>>; readonly durations: Durations },
) {
  let upTo = 0;
  const buckets = durationBounds.map((bound, index) => {
    upTo += durations.counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: durations.count },
    { metricName: `${name}_sum`, labels, value: durations.seconds },
    { metricName: `${name}_count`, labels, value: durations.count },
  ];
}
