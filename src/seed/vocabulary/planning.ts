import type { Topic } from "./topics.ts";

/** Of top groups: for everything below. */
export const commonLabels: readonly (readonly [title: string, color: string, description: string])[] = [
  ["bug", "#D9534F", "Something does not do what it says"],
  ["feature", "#5CB85C", "Something new"],
  ["chore", "#7F8C8D", "Nobody will notice"],
  ["docs", "#428BCA", "Words"],
  ["urgent", "#FF0000", "Today"],
  ["good first issue", "#44AD8E", "A way in"],
  ["needs discussion", "#AD8D43", ""],
];

/** Of subgroups and projects, by what they are about. */
export const topicLabels: Readonly<Record<Topic, readonly string[]>> = {
  firmware: ["hardware", "power", "radio link", "timing", "field report"],
  cloud: ["api", "database", "latency", "incident review", "security"],
  app: ["accessibility", "offline", "translation", "charts", "crash"],
  data: ["accuracy", "pipeline", "maps", "open data", "backfill"],
  docs: ["wording", "translation wanted", "outdated", "checklist", "photo missing"],
  design: ["contrast", "dark mode", "icon", "layout", "copy"],
};

export const labelColors = ["#6699CC", "#8E44AD", "#D1D100", "#F0AD4E", "#34495E", "#00B140", "#A8D695"] as const;

export const milestoneDescriptions = [
  "What we promised at the spring meeting.",
  "Small and finished beats large and nearly.",
  "Nothing new after the second week.",
  "For the stations that go north.",
  "Repairs first.",
] as const;

export const epicTitles: readonly (readonly [title: string, description: string, color: string])[] = [
  ["Stations that survive the winter", "Ice, condensation and short days.", "#1068bf"],
  ["Forecasts in under a second", "From the click to the chart.", "#6699CC"],
  ["One login for everything", "Console, app and API.", "#8E44AD"],
  ["Half the battery", "A year on two cells.", "#44AD8E"],
  ["Installers can work offline", "Roofs have no reception.", "#F0AD4E"],
  ["Readings anybody may use", "Open data, monthly.", "#00B140"],
  ["Fewer pages at night", "Every alert has an owner and a runbook.", "#D9534F"],
  ["New mast, same mount", "", "#34495E"],
  ["Say it in twelve languages", "", "#AD8D43"],
  ["Calibrate without a ladder", "By comparison with the neighbours.", "#428BCA"],
];
