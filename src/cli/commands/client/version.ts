import { version } from "../../../../package.json" with { type: "json" };
import { apiVersion } from "../../../domain/release.ts";

/** Returns a line such as `outpost 0.1.0 (API 17.11.0)`. */
export function versionLine(): string {
  return `outpost ${version} (API ${apiVersion})`;
}

/** Returns the versions as an object with stable keys. */
export function versionFacts(): object {
  return { version, api_version: apiVersion };
}
