import { version } from "../../../../package.json" with { type: "json" };
import { apiVersion } from "../../../domain/release.ts";

/** `outpost 0.1.0 (API 17.11.0)`. */
export function versionLine(): string {
  return `outpost ${version} (API ${apiVersion})`;
}

/** The same with keys that stay. */
export function versionFacts(): object {
  return { version, api_version: apiVersion };
}
