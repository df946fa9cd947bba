import type { Topic } from "./topics.ts";

/** The labels of top-level groups. */
export const commonLabels: readonly (readonly [title: string, color: string, description: string])[] = [
  ["bug", "#D9534F", "Something does not do what it says"],
  ["feature", "#5CB85C", "Something new"],
  ["chore", "#7F8C8D", "Nobody will notice"],
  ["docs", "#428BCA", "Words"],
  ["urgent", "#FF0000", "Today"],
  ["good first issue", "#44AD8E", "A way in"],
  ["needs discussion", "#AD8D43", ""],
];

/** The labels of subgroups and projects, by topic. */
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

interface EpicWords {
  readonly title: string;
  readonly description: string | null;
  readonly color: string;
  /** The topics of the groups that have such an epic. */
  readonly topics: readonly Topic[];
}

export const epicTexts: readonly EpicWords[] = [
  epic("Stations that survive the winter", "Ice, condensation and short days.", "#1068bf", ["firmware"]),
  epic("Forecasts in under a second", "From the click to the chart.", "#6699CC", ["cloud", "app"]),
  epic("One login for everything", "Console, app and API.", "#8E44AD", ["cloud", "app"]),
  epic("Half the battery", "A year on two cells.", "#44AD8E", ["firmware"]),
  epic("Installers can work offline", "Roofs have no reception.", "#F0AD4E", ["app", "docs"]),
  epic("Readings anybody may use", "Open data, monthly.", "#00B140", ["data", "cloud"]),
  epic("Fewer pages at night", "Every alert has an owner and a runbook.", "#D9534F", ["cloud"]),
  epic("New mast, same mount", null, "#34495E", ["firmware", "docs"]),
  epic("Say it in twelve languages", null, "#AD8D43", ["app", "docs", "design"]),
  epic("Calibrate without a ladder", "By comparison with the neighbours.", "#428BCA", ["data", "firmware"]),
  epic("A number that says how sure we are", "Beside each value, and in words.", "#D1D100", ["data"]),
  epic("A photo of every roof", "Before and after, with a scale.", "#7F8C8D", ["docs"]),
  epic("One set of icons", "For console, app and print.", "#A8D695", ["design"]),
  epic("Readable at night", "Contrast first, then colours.", "#34495E", ["design", "app"]),
];

function epic(title: string, description: string | null, color: string, topics: readonly Topic[]): EpicWords {
  return { title, description, color, topics };
}
