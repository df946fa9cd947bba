import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { canReadCode } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { findLicenseFile, rootFileUrl } from "../../repositories/repositories/index.ts";
import { licenseOfText } from "./licenses.ts";
import type { ProjectRecord } from "./records.ts";
import type { License } from "./schema.ts";

export interface ShownLicense {
  readonly license_url: string | null;
  readonly license: Static<typeof License> | null;
}

/** The license of a project's code, for callers who may read that; undefined for others. */
export async function findLicense(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  webUrl: string,
): Promise<ShownLicense | undefined> {
  if (!canReadCode(context, caller.user, project)) return undefined;
  const file = await findLicenseFile(context, caller, project);
  if (file === undefined || project.default_branch === null) return { license_url: null, license: null };
  return { license_url: rootFileUrl(webUrl, project.default_branch, file.path), license: licenseOfText(file.text) };
}
