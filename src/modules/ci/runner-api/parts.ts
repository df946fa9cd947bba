/** The parts of a job's payload that come from its CI configuration. */

import type { CiJobRecord } from "../pipelines/index.ts";

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The texts of a value of the file, one or several; other types are left out. */
function textsOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.filter((item) => typeof item === "string" || typeof item === "number").map(String);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
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

/** The options that executors know; runners refuse a job with other ones. */
function optionsOf(options: Mapping, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(options[name]);
      return text === null ? [] : [[name, text]];
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

/** `cache:`, one or several. */
export function cachesOf(cache: unknown) {
  const caches: readonly unknown[] = Array.isArray(cache) ? cache : [cache];
  return caches.filter(isMapping).map(({ key, untracked, paths, policy, when, fallback_keys }) => ({
    key: textOf(isMapping(key) ? key.prefix : key) ?? "default",
    untracked: untracked === true,
    paths: textsOf(paths) ?? [],
    policy: textOf(policy) ?? "pull-push",
    when: textOf(when) ?? "on_success",
    fallback_keys: textsOf(fallback_keys) ?? [],
  }));
}

/** `artifacts:`: the archive where it has paths, and each kind of report. */
export function artifactsOf(artifacts: unknown) {
  if (!isMapping(artifacts)) return [];
  const { name, untracked, paths, exclude, when, expire_in, reports } = artifacts;
  const common = { exclude: textsOf(exclude) ?? [], when: textOf(when) ?? "on_success", expire_in: textOf(expire_in) };
  const archived = textsOf(paths) ?? [];
  return [
    ...(archived.length === 0 && untracked !== true
      ? []
      : [
          {
            ...common,
            ...{ name: textOf(name), untracked: untracked === true, paths: archived },
            ...{ artifact_type: "archive", artifact_format: "zip" },
          },
        ]),
    ...Object.entries(isMapping(reports) ? reports : {}).flatMap(([type, files]) => {
      const reported = textsOf(files) ?? [];
      if (reported.length === 0) return [];
      const name = type === "dotenv" ? ".env" : type;
      return { ...common, name, untracked: false, paths: reported, artifact_type: type, artifact_format: "gzip" };
    }),
  ];
}

/** The steps of a runner's shell, in their order. Seconds. */
export function stepsOf({ config, timeout_s: timeout = 0 }: CiJobRecord) {
  const script = [...config.before_script, ...config.script];
  return [
    { name: "script", script, timeout, when: "on_success", allow_failure: false },
    ...(config.after_script.length === 0
      ? []
      : [{ name: "after_script", script: [...config.after_script], timeout, when: "always", allow_failure: true }]),
  ];
}
