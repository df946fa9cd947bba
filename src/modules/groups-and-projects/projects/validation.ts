/** The rules about the attributes of projects. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { type AttributeErrors, invalid } from "../../../domain/failure.ts";
import { hasPathForm, isReservedInNamespace, pathFaults } from "../../../domain/full-path.ts";
import type { Upload } from "../../../domain/parameters.ts";
import { isWiderThan } from "../../../domain/visibility.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import { trimCharacters } from "../../../lib/text/trim.ts";
import { normalizeUnicode } from "../../../lib/text/unicode.ts";
import type { Store } from "../../../store/index.ts";
import { restriction } from "../../core/application-settings/index.ts";
import { isPathTaken } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { avatarProblem } from "../../kernel/uploaded-avatar.ts";
import { groups, nameKey } from "../groups/records.ts";
import { pathKey } from "../namespaces-api/records.ts";
import { policyProblems } from "./expiration-policy.ts";
import { type ProjectRecord, projects } from "./records.ts";

/** The attributes that the rules of groups-and-projects 3.3 check. */
export type ProjectDraft = Pick<
  ProjectRecord,
  "namespace_id" | "name" | "path" | "description" | "visibility" | "topics" | "settings" | "expiration_policy"
> & { readonly upload?: Upload | null | undefined };

/** The most characters of a setting, as in the real system; a template may be as long as the text made from it. */
const settingLengths = {
  ci_config_path: 255,
  merge_commit_template: 500,
  squash_commit_template: 500,
  suggestion_commit_message: 255,
  issue_branch_template: 255,
  external_authorization_classification_label: 255,
  issues_template: 1_048_576,
  merge_requests_template: 1_048_576,
} as const;

const daySeconds = 86_400;
const yearSeconds = 365.25 * daySeconds;
const minTimeoutSeconds = 600;
/** As the platform counts a month: a twelfth of a year of the calendar. */
const monthSeconds = 2_629_746;
const gitDepthMax = 1_000;
/** The parts that may make up the subject of an id token. */
const claimNames = ["project_path", "ref_type", "ref"];

type Check = readonly [attribute: string, isBroken: boolean, text: string];

const taken = "has already been taken";
const nameText =
  "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. " +
  "It must start with a letter, digit, emoji, or '_'.";

const emoji = "\\p{Extended_Pictographic}\\p{Emoji_Presentation}";
const projectName = new RegExp(`^[\\p{L}\\p{N}${emoji}_][\\p{L}\\p{M}\\p{N}${emoji}\\p{Pd}_.+ ]*$`, "u");

/** Throws 400 with every broken rule; `before` is the project as it stands, when there is one already. */
export function requireValidProject(
  context: Context,
  caller: SignedInCaller,
  draft: ProjectDraft,
  before?: ProjectRecord,
): void {
  const errors: Record<string, string[]> = {};
  const restricted =
    before?.visibility === draft.visibility ? undefined : restriction(context, caller, draft.visibility);
  const checks: Check[] = [
    ...checksOf(context.store, draft, before),
    ["visibility_level", restricted !== undefined, restricted ?? ""],
  ];
  for (const [attribute, isBroken, text] of checks) {
    if (isBroken) errors[attribute] = [...(errors[attribute] ?? []), text];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors satisfies AttributeErrors);
}

function checksOf(store: Store, draft: ProjectDraft, before: ProjectRecord | undefined): Check[] {
  const { name, path, namespace_id, visibility } = draft;
  const isElsewhere = before?.namespace_id !== namespace_id;
  const isNameNew = isElsewhere || before?.name !== name;
  const isNameUsed = isNameNew && isNameTaken(store, draft, before);
  const isPathNew = isElsewhere || before?.path !== path;
  const problem = draft.upload ? avatarProblem(draft.upload) : undefined;
  const groupVisibility = store.of(groups).get(namespace_id)?.visibility;
  return [
    ["name", name === "", "can't be blank"],
    tooLong("name", name),
    ["name", isNameNew && name !== "" && !isProjectName(name), nameText],
    ["project_namespace.name", isNameUsed, taken],
    ["name", isNameUsed, taken],
    ["path", path === "", "can't be blank"],
    tooLong("path", path),
    ...(isPathNew && path !== "" ? pathFaults(path, "project") : []).map((text): Check => ["path", true, text]),
    ["path", isPathNew && isReservedInNamespace(path), `${path} is a reserved name`],
    ["path", isPathNew && path !== "" && isPathUsed(store, draft, before), taken],
    ["description", exceedsLength(draft.description, 2000), "is too long (maximum is 2000 characters)"],
    ["avatar", problem !== undefined, problem ?? ""],
    ["topics", draft.topics.some((topic) => exceedsLength(topic, 255)), "is too long (maximum is 255 characters)"],
    ...settingChecksOf(draft),
    ...(Bun.deepEquals(draft.expiration_policy, before?.expiration_policy)
      ? []
      : policyProblems(draft.expiration_policy).map(([name, text]): Check => [name, true, text])),
    [
      "visibility_level",
      groupVisibility !== undefined && before?.visibility !== visibility && isWiderThan(visibility, groupVisibility),
      `${visibility} is not allowed in a ${groupVisibility} group.`,
    ],
  ];
}

function settingChecksOf({ settings }: ProjectDraft): Check[] {
  const names = Object.keys(settingLengths) as (keyof typeof settingLengths)[];
  const timeout = settings.build_timeout ?? minTimeoutSeconds;
  const depth = settings.ci_default_git_depth ?? 0;
  const seconds = settings.ci_delete_pipelines_in_seconds ?? null;
  const claims = settings.ci_id_token_sub_claim_components ?? ["project_path"];
  const unknown = claims.filter((claim) => !claimNames.includes(claim));
  return [
    ...names.map((name): Check => {
      const max = settingLengths[name];
      return [name, exceedsLength(settings[name], max), `is too long (maximum is ${max} characters)`];
    }),
    [
      "ci_config_path",
      /^\/|\.\./.test(settings.ci_config_path ?? ""),
      "cannot include leading slash or directory traversal.",
    ],
    [
      "build_timeout",
      timeout < minTimeoutSeconds || timeout >= monthSeconds,
      "needs to be between 10 minutes and 1 month",
    ],
    ["ci_cd_settings.default_git_depth", depth < 0, "must be greater than or equal to 0"],
    ["ci_cd_settings.default_git_depth", depth > gitDepthMax, `must be less than or equal to ${gitDepthMax}`],
    ["max_artifacts_size", (settings.max_artifacts_size ?? 1) < 1, "must be greater than 0"],
    [
      "ci_cd_settings.delete_pipelines_in_seconds",
      seconds !== null && (seconds < daySeconds || seconds > yearSeconds),
      "must be between 1 day and 1 year",
    ],
    [
      "ci_cd_settings.id_token_sub_claim_components",
      claims[0] !== "project_path",
      "project_path must be the first element of the sub claim",
    ],
    ...unknown.map(
      (claim): Check => [
        "ci_cd_settings.id_token_sub_claim_components",
        true,
        `${claim.slice(0, 255)} is not an allowed sub claim component`,
      ],
    ),
  ];
}

/** The name itself where it can be a path; otherwise `Foo Project` → `foo-project` (groups-and-projects 3.3). */
export function pathFromName(name: string): string {
  if (hasPathForm(name)) return name;
  const plain = normalizeUnicode(name, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return trimCharacters(plain.replace(/[^a-z0-9_-]+/g, "-"), "-");
}

/** Joiners only put emoji together. */
function isProjectName(name: string): boolean {
  const plain = name.replaceAll("\u200d", "").replaceAll("\ufe0f", "");
  return projectName.test(plain);
}

function isNameTaken(store: Store, { namespace_id, name }: ProjectDraft, before: ProjectRecord | undefined): boolean {
  const bearers = store.of(projects).by.name_in_namespace.find(nameKey(namespace_id, name));
  return [...bearers].some((id) => id !== before?.id);
}

/** Another case of the own letters is free. */
function isPathUsed(store: Store, { namespace_id, path }: ProjectDraft, before: ProjectRecord | undefined): boolean {
  const place = pathKey(namespace_id, path);
  const isOwn = before !== undefined && store.of(projects).by.place.find(place) === before.id;
  return !isOwn && isPathTaken(store, namespace_id, path);
}

function tooLong(attribute: string, value: string): Check {
  return [attribute, exceedsLength(value, 255), "is too long (maximum is 255 characters)"];
}
