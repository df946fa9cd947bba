/** The entries of keywords that say what happens when: `retry`, `allow_failure`, `inherit`, `environment`. */

import { isMapping, type Mapping } from "../values.ts";
import {
  aList,
  aMapping,
  aText,
  charactersAtMost,
  integerBetween,
  integers,
  isPresent,
  kindOf,
  knownItems,
  mappingOrBoolean,
  mappingOrText,
  oneOf,
  present,
  textLike,
  textOrTexts,
  texts,
} from "./checks.ts";
import { knownKeys } from "./checks-keys.ts";
import { type Entry, key, type LastRule, needed, ruleIf, whole } from "./entry.ts";

const retriesMax = 2;
/** Reasons for the failure of a job. */
export const retryReasons = [
  ...["unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure"],
  ...["missing_dependency_failure", "runner_unsupported", "stale_schedule", "job_execution_timeout"],
  ...[
    "archived_failure",
    "unmet_prerequisites",
    "scheduler_failure",
    "data_integrity_failure",
    "forward_deployment_failure",
  ],
  ...["user_blocked", "project_deleted", "ci_quota_exceeded", "pipeline_loop_detected", "no_matching_runner"],
  ...["trace_size_exceeded", "builds_disabled", "environment_creation_failure", "deployment_rejected"],
  ...["protected_environment_failure", "upstream_bridge_project_not_found", "insufficient_upstream_permissions"],
  ...["downstream_bridge_project_not_found", "insufficient_bridge_permissions", "downstream_pipeline_creation_failed"],
  ...["invalid_bridge_trigger", "bridge_pipeline_is_child_pipeline", "secrets_provider_not_found"],
  ...["reached_max_descendant_pipelines_depth", "reached_max_pipeline_hierarchy_size", "ip_restriction_failure"],
  ...["failed_outdated_deployment_job", "reached_downstream_pipeline_trigger_rate_limit", "image_pull_failure"],
  ...["runner_configuration_error", "runner_external_dependency_failure", "runner_interrupted"],
  ...["stuck_pending_with_matching_runners", "stuck_pending_no_matching_runners", "no_updates_running"],
  ...["no_updates_canceling", "server_timeout_running", "server_timeout_canceling", "job_execution_server_timeout"],
  ...["duo_workflow_not_allowed", "runner_provisioning_timeout", "job_token_expired", "job_router_failure", "always"],
];

const retryTimes = integerBetween(0, retriesMax);

export const retry: Entry = {
  description: "How often a job that failed is run again, and after which failures.",
  alone: "retry",
  variants: [
    { kind: "integer", entry: { alone: "retry", rules: [whole(retryTimes)] } },
    {
      kind: "mapping",
      entry: {
        alone: "retry",
        rules: [
          whole(knownKeys(["max", "when", "exit_codes"])),
          key("max", retryTimes),
          key("when", textOrTexts),
          ruleIf(({ when }) => Array.isArray(when), key("when", knownItems(retryReasons))),
          ruleIf(({ when }) => typeof when === "string", key("when", oneOf(retryReasons))),
          key("exit_codes", integers),
        ],
      },
    },
  ],
  otherwise: "config has to be either an integer or a hash",
};

export const allowFailure: Entry = {
  description: "Whether the pipeline goes on when the job fails, with any exit code or with some.",
  rules: [whole(mappingOrBoolean, knownKeys(["exit_codes"])), key("exit_codes", integers)],
};

/** Keywords of `default:`. */
export const defaultKeys = [
  ...["before_script", "after_script", "hooks", "cache", "image", "services", "interruptible", "timeout", "retry"],
  ...["tags", "artifacts", "id_tokens", "identity"],
];

function inheritanceOf(description: string, ...limits: ReturnType<typeof knownItems>[]): Entry {
  return {
    description,
    variants: [
      { kind: "boolean", entry: {} },
      { kind: "list", entry: { rules: [whole(aList, texts, ...limits)] } },
    ],
    otherwise: "should be a bool or array of strings",
  };
}

export const inherit: Entry = {
  description: "What the job takes from `default` and from the variables of the file.",
  rules: [whole(aMapping, knownKeys(["default", "variables"]))],
  keys: {
    default: inheritanceOf("All of `default`, none, or some keywords.", knownItems(defaultKeys)),
    variables: inheritanceOf("All variables of the file, none, or some by name."),
  },
};

const environmentNameFault =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";
const actions = ["start", "stop", "prepare", "verify", "access"];
const tiers = ["production", "staging", "testing", "development", "other"];
const urlLengthMax = 255;

const hasFlux = ({ flux_resource_path: path }: Mapping) => isPresent(path);
const needsAgent = ({ flux_resource_path: path, dashboard, managed_resources: resources }: Mapping) =>
  isPresent(path) || isPresent(dashboard) || (isMapping(resources) && resources.enabled === true);

const setTwice: (name: string) => LastRule = (name) => (value) =>
  isPresent(value[name]) && isMapping(value.dashboard) && isPresent(value.dashboard[name])
    ? { key: name, fault: `cannot be specified when dashboard.${name} is set` }
    : undefined;

const kubernetes: Entry = {
  description: "What of a cluster belongs to the environment.",
  rules: [
    whole(aMapping, present, knownKeys(["namespace", "agent", "flux_resource_path", "managed_resources", "dashboard"])),
    key("namespace", aText),
    ruleIf(hasFlux, needed("namespace", present)),
    key("agent", aText),
    ruleIf(needsAgent, needed("agent", present)),
    key("flux_resource_path", aText),
  ],
  lastRules: [setTwice("namespace"), setTwice("flux_resource_path")],
};

/** A text alone is the name. */
function nameOf(value: unknown): unknown {
  if (typeof value === "string") return value;
  return isMapping(value) ? value.name : undefined;
}

export const environment: Entry = {
  description: "The environment that the job deploys to.",
  rules: [
    whole(mappingOrText),
    {
      ...needed(
        "name",
        present,
        kindOf("text", environmentNameFault),
        textLike(/^[a-zA-Z0-9_${}. -](?:[a-zA-Z0-9_/${}. -]*[a-zA-Z0-9_${}. -])?$/, environmentNameFault),
      ),
      subjectOf: nameOf,
    },
    whole(knownKeys(["name", "url", "action", "on_stop", "auto_stop_in", "kubernetes", "deployment_tier"])),
    key("url", aText, charactersAtMost(urlLengthMax)),
    key("action", aText, oneOf(actions, "should be start, stop, prepare, verify, or access")),
    key("deployment_tier", aText, oneOf(tiers, `must be one of ${tiers.join(", ")}`)),
    key("on_stop", aText),
    key("kubernetes", aMapping),
    key("auto_stop_in", aText),
  ],
  keys: { kubernetes },
};
