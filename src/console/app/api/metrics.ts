import { send } from "./client.ts";
import { addressOf } from "./paths.ts";

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The server's Prometheus metrics by name. Only for administrators. */
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

export async function readMetrics(): Promise<Metrics> {
  const response = await send(new URL(addressOf("/-/metrics"), location.origin).href);
  const metrics = new Map<string, Sample[]>();
  for (const line of (await response.text()).split("\n")) {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) continue;
    const [, name = "", labels = "", value] = found;
    const sample = { labels: labelsOf(labels), value: Number(value) };
    const samples = metrics.get(name);
    if (samples === undefined) metrics.set(name, [sample]);
    else samples.push(sample);
  }
  return metrics;
}

/** Returns the value of a metric, or the sum of those with these labels. */
export function metricOf(metrics: Metrics, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const samples = metrics.get(name) ?? [];
  const fitting = samples.filter((sample) =>
    Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return fitting.reduce((sum, { value }) => sum + value, 0);
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}
