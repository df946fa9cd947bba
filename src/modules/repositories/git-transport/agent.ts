import { version } from "../../../../package.json" with { type: "json" };

/** What the server calls itself in git's protocol. */
export const serverAgent = `outpost/${version}`;
