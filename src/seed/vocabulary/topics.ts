/** The topic of a project or group: it decides the words of its issues, its files and its errors. */
const topics = ["firmware", "cloud", "app", "data", "docs", "design"] as const;
export type Topic = (typeof topics)[number];
