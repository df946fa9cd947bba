/** What a project or group is about: it decides the words of its issues, its files and its errors. */
const topics = ["firmware", "cloud", "app", "data", "docs", "design"] as const;
export type Topic = (typeof topics)[number];
