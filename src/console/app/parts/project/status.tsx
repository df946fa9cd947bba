const bad = ["failed", "canceled", "cleanup failed"];
const ended = ["success", "failed", "canceled", "skipped", "manual"];

/** The status of a pipeline or job. */
export function Status({ of: status }: { readonly of: string }) {
  return <span class={bad.includes(status) ? "tag warning" : "tag"}>{status.replaceAll("_", " ")}</span>;
}

/** True when the status may change without an action of the user. */
export function isUnderWay(status: string): boolean {
  return !ended.includes(status);
}
