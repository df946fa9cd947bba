/** The rules about the attributes of users. */

import type { AttributeErrors } from "../../../../domain/failure.ts";
import { isPathSegment, isReservedTopLevel, pathFaults } from "../../../../domain/full-path.ts";
import type { Upload } from "../../../../domain/parameters.ts";
import { isCommonPassword } from "../../../../domain/password.ts";
import { exceedsLength } from "../../../../lib/text/text.ts";
import { avatarProblem } from "../../../kernel/uploaded-avatar.ts";
import type { UserRecord } from "../records.ts";

/** The attributes that the rules of users-and-auth 7 check. `password` is left out when it is not being set. */
export type UserDraft = Omit<UserRecord, "id" | "namespace_id"> & { readonly password?: string | undefined };

/** The facts beside the user that the rules need. */
export interface UserSurroundings {
  /** Addresses that may be shown or used, in small letters. */
  readonly verified: ReadonlySet<string>;
  /** A picture that is being uploaded. */
  readonly avatar: Upload | null | undefined;
}

type Check = readonly [attribute: string, isBroken: boolean, text: string];

/** Every broken rule by attribute, in the wording of the contract; undefined when all hold. */
export function validateUser(user: UserDraft, surroundings: UserSurroundings): AttributeErrors | undefined {
  const errors: Record<string, string[]> = {};
  for (const [attribute, isBroken, text] of checksOf(user, surroundings)) {
    if (!isBroken) continue;
    errors[attribute] ??= [];
    errors[attribute].push(text);
  }
  return Object.keys(errors).length === 0 ? undefined : errors;
}

/** The broken rules of a password alone. */
export function passwordProblems(password: string): AttributeErrors | undefined {
  const texts = passwordChecks(password).flatMap(([, isBroken, text]) => (isBroken ? [text] : []));
  return texts.length === 0 ? undefined : { password: texts };
}

export function isEmailAddress(text: string): boolean {
  return /^[^@\s<>,;]+@[^@\s<>,;]+$/.test(text) && text.length <= 254;
}

function checksOf(user: UserDraft, { verified, avatar }: UserSurroundings): Check[] {
  const pictureProblem = avatar ? avatarProblem(avatar) : undefined;
  return [
    ["email", !isEmailAddress(user.email), "is invalid"],
    ...nameChecks(user.name),
    ...usernameChecks(user.username),
    ...passwordChecks(user.password),
    tooLong("bio", user.bio, 255),
    tooLong("pronouns", user.pronouns, 50),
    tooLong("job_title", user.job_title, 200),
    ...(["linkedin", "skype", "twitter", "location", "organization", "website_url", "note"] as const).map((name) =>
      tooLong(name, user[name], 500),
    ),
    ["discord", user.discord !== "" && !/^\d{17,20}$/.test(user.discord), "must contain only a discord user ID."],
    ["website_url", user.website_url !== "" && !isWebAddress(user.website_url), "is not a valid URL"],
    ["public_email", !isVerified(verified, user.public_email), "must be an email you have verified"],
    [
      "commit_email",
      user.commit_email !== "_private" && !isVerified(verified, user.commit_email),
      "must be an email you have verified",
    ],
    ["projects_limit", user.projects_limit < 0, "must be greater than or equal to 0"],
    [
      "color_scheme_id",
      user.color_scheme_id < 1 || user.color_scheme_id > 6,
      `${user.color_scheme_id} is not a valid color scheme`,
    ],
    ["theme_id", !isTheme(user.theme_id), `${user.theme_id} is not a valid theme`],
    ["avatar", pictureProblem !== undefined, pictureProblem ?? ""],
  ];
}

function nameChecks(name: string): Check[] {
  const [first = "", ...rest] = name.split(/\s+/);
  return [
    ["name", name === "", "can't be blank"],
    tooLong("name", name, 255),
    [
      "name",
      !exceedsLength(name, 255) && (exceedsLength(first, 127) || exceedsLength(rest.join(" "), 127)),
      "is too long (maximum is 127 characters)",
    ],
  ];
}

const extensionText = "ending with a reserved file extension is not allowed.";

function usernameChecks(username: string): Check[] {
  const faults = username === "" ? [] : pathFaults(username);
  return [
    ["username", username === "", "can't be blank"],
    ["username", username.length === 1, "is too short (minimum is 2 characters)"],
    tooLong("username", username, 255),
    ...faults.map((text): Check => ["username", true, text]),
    ["username", username !== "" && faults.length === 0 && !isPathSegment(username), extensionText],
    ["username", isReservedTopLevel(username), `${username} is a reserved name`],
  ];
}

function passwordChecks(password: string | undefined): Check[] {
  if (password === undefined) return [];
  if (password === "") return [["password", true, "can't be blank"]];
  return [
    ["password", !exceedsLength(password, 7), "is too short (minimum is 8 characters)"],
    tooLong("password", password, 128),
    [
      "password",
      password.length >= 8 && isCommonPassword(password),
      "must not contain commonly used combinations of words and letters",
    ],
  ];
}

function tooLong(attribute: string, value: string | null, max: number): Check {
  return [attribute, exceedsLength(value, max), `is too long (maximum is ${max} characters)`];
}

/** 1 to 11, and the one that came after the next was withdrawn. */
function isTheme(id: number): boolean {
  return (id >= 1 && id <= 11) || id === 13;
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** An address may be shown or used once it is the user's own and confirmed. */
function isVerified(verified: ReadonlySet<string>, address: string | null): boolean {
  return !address || verified.has(address.toLowerCase());
}
