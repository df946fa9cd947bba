import type { Registry } from "prom-client";
import type { Histogram } from "../../lib/histogram.ts";

export interface HistogramDeclaration {
  readonly name: string;
  readonly help: string;
  readonly read: () => Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly histogram: Histogram }>;
}

/** Adds a histogram of the library with values that are counted elsewhere. */
export function addHistogram(
  library: typeof import("prom-client"),
  registry: Registry,
  { name, help, read }: HistogramDeclaration,
): void {
  Object.assign(new library.Histogram({ name, help, registers: [registry] }), {
    async getForPromString() {
      return { name, help, type: "histogram", values: [...read()].flatMap((each) => valuesOf(name, each)) };
    },
  });
}

function valuesOf(
  name: string,
  { labels, histogram }: { readonly labels: Readonly<Record<string, string>>; readonly histogram: Histogram },
) {
  let upTo = 0;
  const buckets = histogram.bounds.map((bound, index) => {
    upTo += histogram.counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: histogram.count },
    { metricName: `${name}_sum`, labels, value: histogram.sum },
    { metricName: `${name}_count`, labels, value: histogram.count },
  ];
}
