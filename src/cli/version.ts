import { version } from "../../package.json" with { type: "json" };

/** The release of the REST API that is served, as `GET /version` tells it (users-and-auth 19). */
const apiVersion = "17.11.0";

/** `outpost 0.1.0 (API 17.11.0)`. */
export function versionLine(): string {
  return `outpost ${version} (API ${apiVersion})`;
}
