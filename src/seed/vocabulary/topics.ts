/** The topic of a project or group, on which the words of its issues, files and errors depend. */
const topics = ["firmware", "cloud", "app", "data", "docs", "design"] as const;
export type Topic = (typeof topics)[number];
