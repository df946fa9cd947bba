const bad = ["failed", "canceled", "cleanup failed"];
const ended = ["success", "failed", "canceled", "skipped", "manual"];

/** The status of a pipeline or job. */
export function Status({ of: status }: { readonly of: string }) {
  return <span class={bad.includes(status) ? "tag warning" : "tag"}>{status.replaceAll("_", " ")}</span>;
}

/** Whether the status changes without an action of a person. */
export function isUnderWay(status: string): boolean {
  return !ended.includes(status);
}
