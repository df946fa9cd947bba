import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { parseMilliseconds, parseStorages, parseWholeNumber } from "./parsers.ts";
import type { DefaultedSetting } from "./setting.ts";

export const repositoryStorages: DefaultedSetting<readonly RepositoryStorage[]> = {
  flag: "repository-storages",
  placeholder: "list",
  help: "storages of git repositories: comma-separated name or name=folder; by default inside the data folder",
  expected: "names of letters, digits, `_`, `.` and `-`, each once, as name or name=folder, separated by commas",
  example: "default,storage2=/mnt/second",
  default: "default",
  parse: parseStorages,
};

export const storageMoveDelayMs: DefaultedSetting<number> = {
  flag: "storage-move-delay-ms",
  placeholder: "number",
  help: "milliseconds that a repository move waits before it starts and before it copies",
  expected: "a whole number up to 86400000",
  example: "0",
  default: "0",
  parse: parseMilliseconds,
};

/** A pebibyte, which is more than any disk has. */
const mebibytesMax = 2 ** 30;
const mebibytes = {
  placeholder: "number",
  expected: `a whole number of mebibytes up to ${mebibytesMax}`,
  example: "10240",
  default: "0",
  parse: parseWholeNumber(0, mebibytesMax),
} as const;

export const projectQuotaMb: DefaultedSetting<number> = {
  ...mebibytes,
  flag: "project-quota-mb",
  help: "storage of one project in MiB: repositories, packages, images, artifacts, snippets; 0 for no limit",
};

export const totalQuotaMb: DefaultedSetting<number> = {
  ...mebibytes,
  flag: "total-quota-mb",
  help: "storage of all projects together in MiB; 0 for no limit",
};

export const userWriteQuotaMb: DefaultedSetting<number> = {
  ...mebibytes,
  flag: "user-write-quota-mb",
  help: "changes in MiB that one user may write in an hour; not for administrators; 0 for no limit",
  example: "1024",
  default: "256",
};

export const gitMaxObjects: DefaultedSetting<number> = {
  flag: "git-max-objects",
  placeholder: "number",
  help: "objects in one git push",
  expected: "a whole number from 1 to 100000000",
  example: "1000000",
  default: "10000000",
  parse: parseWholeNumber(1, 100_000_000),
};

export const gitMaxObjectMb: DefaultedSetting<number> = {
  flag: "git-max-object-mb",
  placeholder: "number",
  help: "MiB of one file in a git push, before it is compressed",
  expected: "a whole number of mebibytes from 1 to 1048576",
  example: "100",
  default: "2048",
  parse: parseWholeNumber(1, 2 ** 20),
};

export const minFreeMemory: DefaultedSetting<number> = {
  flag: "min-free-memory",
  placeholder: "percent",
  help: "free memory in percent below which changes above 4 KiB get 507; smaller ones do below a quarter of it; 0 for no limit",
  expected: "a whole number of percent from 0 to 100",
  example: "5",
  default: "5",
  parse: parseWholeNumber(0, 100),
};

export const minFreeSpace: DefaultedSetting<number> = {
  flag: "min-free-space",
  placeholder: "percent",
  help: "free disk space in percent below which uploads get 507; small writes continue; 0 for no limit",
  expected: "a whole number of percent from 0 to 100",
  example: "5",
  default: "5",
  parse: parseWholeNumber(0, 100),
};
