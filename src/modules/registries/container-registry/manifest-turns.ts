/** The turns of pushed manifests. */

import { OneAtATime } from "../../../lib/one-at-a-time.ts";
import { serviceKey } from "../../kernel/service.ts";

/** Pushes that arrive together are recorded in turn: each writes all that its manifest names. */
export const ManifestTurns = serviceKey("manifest-turns", () => new OneAtATime());
