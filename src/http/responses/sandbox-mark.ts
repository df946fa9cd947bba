/** The header by which every answer of a sandbox says what it comes from (sandbox). */
export const sandboxMark = { "X-Outpost-Sandbox": "true" } as const;
