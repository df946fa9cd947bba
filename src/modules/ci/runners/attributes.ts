/** The attributes of runners, checked and normalised. */

import type { Static } from "@sinclair/typebox";
import { invalid } from "../../../domain/failure.ts";
import type { RunnerRecord } from "./records.ts";
import type { SentAttributes } from "./schema.ts";

const tagsMax = 50;
const tagLengthMax = 255;
/** Seconds. */
const timeoutMin = 600;

/** The attributes of a runner that users set. */
export type GivenAttributes = Pick<
  RunnerRecord,
  | "description"
  | "maintenance_note"
  | "paused"
  | "locked"
  | "run_untagged"
  | "tag_list"
  | "access_level"
  | "maximum_timeout"
>;

/** Returns the attributes, with defaults for absent ones. */
export function attributesOf(given: Partial<Static<typeof SentAttributes>>): GivenAttributes {
  return {
    description: given.description ?? null,
    maintenance_note: given.maintenance_note ?? null,
    paused: given.paused ?? false,
    locked: given.locked ?? false,
    run_untagged: given.run_untagged ?? true,
    tag_list: tagsOf(given.tag_list),
    access_level: given.access_level ?? "not_protected",
    maximum_timeout: given.maximum_timeout ?? null,
  };
}

export function tagsOf(given: readonly string[] = []): string[] {
  return [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ""))].sort();
}

export interface Problem {
  readonly attribute: "tags_list" | "maximum_timeout";
  readonly text: string;
}

interface Attributes {
  readonly tag_list: readonly string[];
  readonly run_untagged: boolean;
  readonly maximum_timeout?: number | null | undefined;
}

/** Finds attributes that contradict each other. */
export function problemsOf({ tag_list, run_untagged, maximum_timeout }: Attributes): Problem[] {
  const problems: Problem[] = [];
  if (!run_untagged && tag_list.length === 0) {
    problems.push({
      attribute: "tags_list",
      text: "can not be empty when runner is not allowed to pick untagged jobs",
    });
  }
  if (tag_list.length > tagsMax) {
    const text = `Too many tags specified. Please limit the number of tags to ${tagsMax}`;
    problems.push({ attribute: "tags_list", text });
  }
  if (tag_list.some(({ length }) => length > tagLengthMax)) {
    problems.push({
      attribute: "tags_list",
      text: `has a tag that is too long (maximum is ${tagLengthMax} characters)`,
    });
  }
  if (maximum_timeout !== undefined && maximum_timeout !== null && maximum_timeout < timeoutMin) {
    problems.push({ attribute: "maximum_timeout", text: "needs to be at least 10 minutes" });
  }
  return problems;
}

/** Throws 400 for what does not go together. */
export function requireValidAttributes(attributes: Attributes): void {
  const texts: Record<string, string[]> = {};
  for (const { attribute, text } of problemsOf(attributes)) texts[attribute] = [...(texts[attribute] ?? []), text];
  if (Object.keys(texts).length > 0) throw invalid(texts);
}
