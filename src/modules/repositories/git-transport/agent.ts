/** The name of the server in git's protocol. */

import { version } from "../../../../package.json" with { type: "json" };

export const serverAgent = `outpost/${version}`;
