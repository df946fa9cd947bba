/** The header that marks every answer of a sandbox (sandbox). */
export const sandboxMark = { "X-Outpost-Sandbox": "true" } as const;
