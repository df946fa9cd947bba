/** The rules about the attributes of groups. */

import type { Caller } from "../../../domain/caller.ts";
import type { AttributeErrors } from "../../../domain/failure.ts";
import { isReservedInNamespace, isReservedTopLevel, pathFaults } from "../../../domain/full-path.ts";
import type { Upload } from "../../../domain/parameters.ts";
import { isWiderThan } from "../../../domain/visibility.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store } from "../../../store/index.ts";
import { restriction } from "../../core/application-settings/index.ts";
import { ancestorsMax, isPathTaken, selfAndAncestors } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { avatarProblem } from "../../kernel/uploaded-avatar.ts";
import { type GroupRecord, groups, nameKey } from "./records.ts";

/** The attributes that the rules of groups-and-projects 2.3 check. */
export type GroupDraft = Pick<GroupRecord, "name" | "path" | "parent_id" | "visibility" | "description">;

type Check = readonly [attribute: string, isBroken: boolean, text: string];

const lengthMax = 255;
const descriptionLengthMax = 500;
export const tooDeepText = "has too deep level of nesting";
const emojiParts = "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}\\u{200D}\\u{FE0F}\\u{20E3}";
const nameForm = new RegExp(`^[\\p{L}\\p{M}\\p{N}${emojiParts}_][\\p{L}\\p{M}\\p{N}${emojiParts}_.\\p{Pd}() ]*$`, "u");
const nameFormText =
  "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis. " +
  "It must start with letter, digit, emoji or '_'.";

export interface GroupSurroundings {
  /** The group as it stands, when there is one: what it has already is not taken. */
  readonly before?: GroupRecord;
  /** The picture that is being set. */
  readonly avatar?: Upload | null | undefined;
}

/** Every broken rule by attribute; undefined when all hold. */
export function validateGroup(
  context: Context,
  caller: Caller,
  draft: GroupDraft,
  { before, avatar }: GroupSurroundings = {},
): AttributeErrors | undefined {
  const errors: Record<string, string[]> = {};
  const restricted =
    before?.visibility === draft.visibility ? undefined : restriction(context, caller, draft.visibility);
  const checks: Check[] = [
    ...checksOf(context.store, draft, before, avatar),
    ["visibility_level", restricted !== undefined, restricted ?? ""],
  ];
  for (const [attribute, isBroken, text] of checks) {
    if (!isBroken) continue;
    errors[attribute] ??= [];
    errors[attribute].push(text);
  }
  return Object.keys(errors).length === 0 ? undefined : errors;
}

function checksOf(
  store: Store,
  draft: GroupDraft,
  before: GroupRecord | undefined,
  avatar: Upload | null | undefined,
): Check[] {
  const pictureProblem = avatar ? avatarProblem(avatar) : undefined;
  return [
    ...nameChecks(store, draft, before),
    ...pathChecks(store, draft, before),
    ["description", exceedsLength(draft.description, descriptionLengthMax), tooLongText(descriptionLengthMax)],
    ["avatar", pictureProblem !== undefined, pictureProblem ?? ""],
    ...parentVisibilityChecks(store, draft, before),
    ["parent_id", before === undefined && isTooDeep(store, draft), tooDeepText],
  ];
}

function isTooDeep(store: Store, { parent_id }: GroupDraft): boolean {
  return parent_id !== null && selfAndAncestors(store, parent_id).length > ancestorsMax;
}

function nameChecks(store: Store, { name, parent_id }: GroupDraft, before: GroupRecord | undefined): Check[] {
  if (name.trim() === "") return [["name", true, "can't be blank"]];
  const holders = parent_id === null ? [] : store.of(groups).by.name_in_parent.find(nameKey(parent_id, name));
  return [
    ["name", [...holders].some((id) => id !== before?.id), "has already been taken"],
    ["name", exceedsLength(name, lengthMax), tooLongText(lengthMax)],
    ["name", !nameForm.test(name), nameFormText],
    [
      "name",
      /<[^<>]*>/.test(name),
      "cannot contain HTML/XML tags, including any word between angle brackets (&lt;,&gt;).",
    ],
  ];
}

function pathChecks(store: Store, { path, parent_id }: GroupDraft, before: GroupRecord | undefined): Check[] {
  if (path === "") return [["path", true, "can't be blank"]];
  const isOwnPlace = before?.parent_id === parent_id && before.path.toLowerCase() === path.toLowerCase();
  const isReserved = parent_id === null ? isReservedTopLevel(path) : isReservedInNamespace(path);
  const faults = before?.path === path ? [] : pathFaults(path);
  return [
    ["path", !isOwnPlace && isPathTaken(store, parent_id, path), "has already been taken"],
    ["path", exceedsLength(path, lengthMax), tooLongText(lengthMax)],
    ...faults.map((text): Check => ["path", true, text]),
    ["path", before?.path !== path && path.length === 1, "is too short (minimum is 2 characters)"],
    ["path", /^\d+$/.test(path), "cannot be digits only"],
    ["path", before?.path !== path && isReserved, `${path} is a reserved name`],
  ];
}

function parentVisibilityChecks(
  store: Store,
  { visibility, parent_id }: GroupDraft,
  before: GroupRecord | undefined,
): Check[] {
  const parent = parent_id === null ? undefined : store.of(groups).get(parent_id);
  if (parent === undefined || before?.visibility === visibility) return [];
  return [
    [
      "visibility_level",
      isWiderThan(visibility, parent.visibility),
      `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`,
    ],
  ];
}

function tooLongText(max: number): string {
  return `is too long (maximum is ${max} characters)`;
}
