/** The reason phrase of an HTTP status. Loads `node:http` when it is first asked: each command would pay 2 ms for it. */
export function statusTextOf(status: number): string | undefined {
  return process.getBuiltinModule("node:http").STATUS_CODES[status];
}
