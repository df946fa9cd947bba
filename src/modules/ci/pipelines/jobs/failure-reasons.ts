/** The reasons for which a job fails. A runner may report any of them. */

export const failureReasons = [
  ...(["unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure"] as const),
  ...(["runner_system_failure", "missing_dependency_failure", "runner_unsupported", "stale_schedule"] as const),
  ...(["job_execution_timeout", "archived_failure", "unmet_prerequisites", "scheduler_failure"] as const),
  ...(["data_integrity_failure", "forward_deployment_failure", "user_blocked", "project_deleted"] as const),
  ...(["ci_quota_exceeded", "pipeline_loop_detected", "no_matching_runner", "trace_size_exceeded"] as const),
  ...(["builds_disabled", "environment_creation_failure", "deployment_rejected"] as const),
  ...(["failed_outdated_deployment_job", "protected_environment_failure"] as const),
  ...(["insufficient_bridge_permissions", "downstream_bridge_project_not_found"] as const),
  ...(["invalid_bridge_trigger", "upstream_bridge_project_not_found", "insufficient_upstream_permissions"] as const),
  ...(["bridge_pipeline_is_child_pipeline", "downstream_pipeline_creation_failed"] as const),
  ...(["secrets_provider_not_found", "reached_max_descendant_pipelines_depth", "ip_restriction_failure"] as const),
  ...(["reached_max_pipeline_hierarchy_size", "reached_downstream_pipeline_trigger_rate_limit"] as const),
  ...(["image_pull_failure", "runner_configuration_error", "runner_external_dependency_failure"] as const),
] as const;
export type FailureReason = (typeof failureReasons)[number];
