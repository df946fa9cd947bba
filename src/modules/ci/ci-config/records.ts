/** The words of a CI file that pipelines and jobs store. */

export const whens = ["on_success", "on_failure", "always", "manual", "delayed", "never"] as const;
export type When = (typeof whens)[number];

/** What a newer commit cancels. */
export const newCommitWords = ["conservative", "interruptible", "none"] as const;
/** What a failed job cancels. */
export const jobFailureWords = ["none", "all"] as const;
