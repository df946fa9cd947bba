/** The ID tokens of a job: signed claims with which it signs in to other services. */

import { accessLevelName } from "../../../domain/access-level.ts";
import { branchPrefix, tagPrefix } from "../../../git/index.ts";
import { userPreferences } from "../../accounts/preferences/records.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { CiFileError, ExpansionBudget, expandVariables } from "../ci-config/index.ts";
import { type IdTokenClaims, SigningKey } from "../id-tokens/index.ts";
import { ciFilePathOf, tierOf } from "../pipelines/index.ts";
import type { PipelineRecord } from "../pipelines/records.ts";
import type { JobVariable, OutgoingJob } from "./variables.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** Clocks of other servers may be behind. */
const earlierSeconds = 5;

/** A variable for each token in `id_tokens:`; those whose audience cannot be expanded are left out. */
export function idTokenVariables(
  context: Context,
  outgoing: OutgoingJob,
  variables: readonly JobVariable[],
): JobVariable[] {
  const { id_tokens } = outgoing.job.config;
  const tokens = isMapping(id_tokens) ? Object.entries(id_tokens) : [];
  if (tokens.length === 0) return [];
  const known = new Map(variables.map(({ key, value }) => [key, value]));
  const claims = claimsOf(context, outgoing);
  const room = new ExpansionBudget(undefined, audienceCharactersMax);
  return tokens.flatMap(([key, token]) => {
    const aud = audienceOf(isMapping(token) ? token.aud : undefined, known, room);
    if (aud === undefined) return [];
    const jti = context.randomness.uuid();
    return [{ key, value: context.get(SigningKey).sign({ ...claims, aud, jti }), public: false, masked: true }];
  });
}

/** Characters of all audiences of a job, and of the variables in them: each is in a token, and tokens are in headers. */
const audienceCharactersMax = 65_536;

/** undefined: there is none, or it is too long. */
function audienceOf(
  aud: unknown,
  known: ReadonlyMap<string, string>,
  room: ExpansionBudget,
): string | string[] | undefined {
  const texts = (Array.isArray(aud) ? aud : [aud]).filter((each): each is string => typeof each === "string");
  try {
    const expanded = texts.map((text) => expandVariables(text, known, room));
    return Array.isArray(aud) ? expanded : expanded[0];
  } catch (error) {
    if (error instanceof CiFileError) return undefined;
    throw error;
  }
}

function claimsOf(context: Context, { job, pipeline, project, runner }: OutgoingJob): IdTokenClaims {
  const { store, clock, issuer } = context;
  const path = projectPathOf(store, project);
  const namespace = { id: String(project.namespace_id), path: path.slice(0, path.lastIndexOf("/")) };
  const ref_type = pipeline.tag ? "tag" : "branch";
  const now = Math.floor(clock.now() / 1000);
  return {
    ...{ iss: issuer, sub: `project_path:${path}:ref_type:${ref_type}:ref:${pipeline.ref}` },
    ...{ iat: now, nbf: now - earlierSeconds, exp: now + (job.timeout_s ?? 0) },
    ...{ namespace_id: namespace.id, namespace_path: namespace.path },
    ...{ project_id: String(project.id), project_path: path, project_visibility: project.visibility },
    ...{ job_namespace_id: namespace.id, job_namespace_path: namespace.path },
    ...{ job_project_id: String(project.id), job_project_path: path },
    ...userClaims(context, { job, project }),
    ...{ pipeline_id: String(pipeline.id), pipeline_source: pipeline.source, job_id: String(job.id) },
    ...{ ref: pipeline.ref, ref_type, ref_path: `${pipeline.tag ? tagPrefix : branchPrefix}${pipeline.ref}` },
    ...{
      ref_protected: String(pipeline.ref_protected === true),
      sha: pipeline.sha,
      runner_id: runner.id,
      runner_environment: "self-hosted",
    },
    ...environmentClaims(job),
    ...configClaims(pipeline, `${new URL(issuer).host}/${path}//${ciFilePathOf(project)}`),
  };
}

/** Names the CI file. The file of a child pipeline is not in the repository. */
function configClaims({ source, tag, ref, sha }: PipelineRecord, file: string): IdTokenClaims {
  if (source === "parent_pipeline") return {};
  return { ci_config_ref_uri: `${file}@${tag ? tagPrefix : branchPrefix}${ref}`, ci_config_sha: sha };
}

function userClaims(context: Context, { job, project }: Pick<OutgoingJob, "job" | "project">): IdTokenClaims {
  const user = findUser(context.store, job.user_id);
  if (user === undefined) return {};
  const level = context.get(Access).levelInProject(user, project);
  return {
    ...{ user_id: String(user.id), user_login: user.username, user_email: user.email },
    user_access_level: accessLevelName(level).toLowerCase(),
    ...identityClaims(context, user),
  };
}

/** The accounts of the user elsewhere, for those who want to tell other services of them. */
function identityClaims({ store }: Context, { id, identities }: UserRecord): IdTokenClaims {
  if (store.of(userPreferences).get(id)?.pass_user_identities_to_ci_jwt !== true) return {};
  return { user_identities: identities.map(({ provider, extern_uid }) => ({ provider, extern_uid })) };
}

function environmentClaims({ config: { environment } }: OutgoingJob["job"]): IdTokenClaims {
  if (environment === undefined) return {};
  const { name, tier, action } = environment;
  return {
    ...{ environment: name, environment_protected: "false" },
    ...{ deployment_tier: tier ?? tierOf(name), environment_action: action },
  };
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
