/** The parts of a job's payload that come from its CI configuration. */

import { kindOf } from "../job-artifacts/index.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The texts of a value of the file, one or several; other types are left out. */
function textsOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map(textOf).filter((text) => text !== null);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** `image:` as runners read it; null for none. */
export function imageOf(image: unknown) {
  const { name, entrypoint, pull_policy, docker, kubernetes } = isMapping(image) ? image : { name: image };
  const text = textOf(name);
  if (text === null) return null;
  return {
    name: text,
    entrypoint: textsOf(entrypoint),
    ports: [],
    pull_policy: textsOf(pull_policy),
    executor_opts: {
      ...(isMapping(docker) ? { docker: optionsOf(docker, ["platform", "user"]) } : {}),
      ...(isMapping(kubernetes) ? { kubernetes: optionsOf(kubernetes, ["user"]) } : {}),
    },
  };
}

/** The options that executors know; runners refuse a job with other ones. A user may be a number. */
function optionsOf(options: Mapping, names: readonly string[]): Record<string, string | number> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = options[name];
      return typeof value === "string" || typeof value === "number" ? [[name, value]] : [];
    }),
  );
}

export function servicesOf(services: unknown) {
  return (Array.isArray(services) ? services : []).flatMap((service: unknown) => {
    const image = imageOf(service);
    if (image === null) return [];
    const { alias, command, variables } = isMapping(service) ? service : {};
    const own = Object.entries(isMapping(variables) ? variables : {});
    return {
      ...image,
      alias: textOf(alias),
      command: textsOf(command),
      variables: own.map(([key, value]) => ({ key, value: textOf(value) ?? "" })),
    };
  });
}

/**
 * `cache:`, one or several. Where caches are separated, jobs of protected refs and of maintainers do not share one with
 * other jobs, which could plant files in it.
 */
export function cachesOf(
  cache: unknown,
  { isSeparated, isProtected }: { readonly isSeparated: boolean; readonly isProtected: boolean },
) {
  const caches: readonly unknown[] = Array.isArray(cache) ? cache : [cache];
  return caches.filter(isMapping).map(({ key, untracked, paths, policy, when, fallback_keys, unprotect }) => {
    const ending = isProtected && unprotect !== true ? "-protected" : "-non_protected";
    const suffix = isSeparated ? ending : "";
    return {
      key: `${textOf(key) ?? "default"}${suffix}`,
      untracked: untracked === true,
      paths: textsOf(paths) ?? [],
      policy: textOf(policy) ?? "pull-push",
      when: textOf(when) ?? "on_success",
      fallback_keys: (textsOf(fallback_keys) ?? []).map((fallback) => `${fallback}${suffix}`),
    };
  });
}

/** `artifacts:`: the archive where it has paths, and each kind of report, which a runner always sends. */
export function artifactsOf(artifacts: unknown) {
  if (!isMapping(artifacts)) return [];
  const { name, untracked, paths, exclude, when, expire_in, reports } = artifacts;
  const archived = textsOf(paths) ?? [];
  const excluded = textsOf(exclude) ?? [];
  const life = textOf(expire_in);
  return [
    ...(archived.length === 0 && untracked !== true
      ? []
      : [
          {
            ...{ name: textOf(name), untracked: untracked === true, paths: archived },
            ...(excluded.length === 0 ? {} : { exclude: excluded }),
            ...{ when: textOf(when) ?? "on_success", expire_in: life },
            ...{ artifact_type: "archive", artifact_format: "zip" },
          },
        ]),
    ...Object.entries(isMapping(reports) ? reports : {}).flatMap(([key, value]) => {
      const { type, files } = reportOf(key, value);
      const kind = kindOf(type);
      if (kind === undefined || files.length === 0) return [];
      return {
        ...(kind.filename === null ? {} : { name: kind.filename }),
        ...{ paths: files, when: "always" },
        ...(life === null ? {} : { expire_in: life }),
        ...{ artifact_type: type, artifact_format: kind.format },
      };
    }),
  ];
}

/** `coverage_report: { coverage_format, path }` is a report of that format. */
function reportOf(key: string, value: unknown): { readonly type: string; readonly files: string[] } {
  if (key !== "coverage_report") return { type: key, files: textsOf(value) ?? [] };
  const { coverage_format, path } = isMapping(value) ? value : {};
  return { type: textOf(coverage_format) ?? "", files: textsOf(path) ?? [] };
}

/** `hooks:`: scripts that the runner starts before the steps. */
export function hooksOf(hooks: unknown) {
  const script = textsOf(isMapping(hooks) ? hooks.pre_get_sources_script : null) ?? [];
  return script.length === 0 ? [] : [{ name: "pre_get_sources_script", script }];
}

/** The steps of a runner's shell, in their order. Seconds. */
export function stepsOf({ config, timeout_s: timeout = 0 }: CiJobRecord) {
  const script = [...config.before_script, ...config.script];
  const release = releaseScriptOf(config.release);
  return [
    { name: "script", script, timeout, when: "on_success", allow_failure: false },
    ...(release === null
      ? []
      : [{ name: "release", script: [release], timeout, when: "on_success", allow_failure: false }]),
    ...(config.after_script.length === 0
      ? []
      : [{ name: "after_script", script: [...config.after_script], timeout, when: "always", allow_failure: true }]),
  ];
}

const releaseFlags = ["name", "description", "tag_name", "tag_message", "ref", "released_at"] as const;

/** The command of the release client for `release:`; null for none. The shell expands variables in its texts. */
function releaseScriptOf(release: unknown): string | null {
  if (!isMapping(release)) return null;
  const { links } = isMapping(release.assets) ? release.assets : {};
  const words = [
    ...releaseFlags.flatMap((flag) => {
      const text = textOf(release[flag]);
      return text === null ? [] : [`--${flag.replaceAll("_", "-")} "${text}"`];
    }),
    ...(textsOf(release.milestones) ?? []).map((milestone) => `--milestone "${milestone}"`),
    ...(Array.isArray(links) ? links : []).map((link) => `--assets-link ${JSON.stringify(JSON.stringify(link))}`),
  ];
  return `release-cli create ${words.join(" ")}`;
}
