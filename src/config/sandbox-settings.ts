import { oneOf, parseFolder, parseSwitch, parseWholeNumber } from "./parsers.ts";
import type { DefaultedSetting, Setting } from "./setting.ts";

export const sandbox: DefaultedSetting<boolean> = {
  flag: "sandbox",
  placeholder: "true",
  help: "make a new store a sandbox for tests, or serve one: with checkpoints, a clock and faults (`outpost help sandbox`)",
  expected: "true or false",
  example: "true",
  isSwitch: true,
  default: "false",
  parse: parseSwitch,
};

export const memory: DefaultedSetting<boolean> = {
  flag: "memory",
  placeholder: "true",
  help: "serve a new sandbox in memory; its data is lost at the end",
  expected: "true or false",
  example: "true",
  isSwitch: true,
  default: "false",
  parse: parseSwitch,
};

export const rngSeed: Setting<number> = {
  flag: "rng-seed",
  placeholder: "number",
  help: "in a sandbox: seed of ids, tokens and UUIDs, which are the same in each run",
  expected: "a whole number from 0 to 4294967295",
  example: "7",
  parse: parseWholeNumber(0, 2 ** 32 - 1),
};

export const fixture: Setting<string> = {
  flag: "fixture",
  placeholder: "file",
  help: "at the first start of a sandbox: create the users, groups and projects in this file (`outpost help fixtures`)",
  expected: "the path of a file",
  example: "./fixture.yaml",
  parse: parseFolder,
};

export const record: Setting<string> = {
  flag: "record",
  placeholder: "file",
  help: "in a sandbox: write every request with its answer to this HTTP Archive (`outpost help recordings`)",
  expected: "the path of a file",
  example: "./run.har",
  parse: parseFolder,
};

const outgoingModes = ["send", "sink"] as const;

export const outgoing: DefaultedSetting<(typeof outgoingModes)[number]> = {
  flag: "outgoing",
  placeholder: "word",
  help: "mails and calls to third-party services: send them, or in a sandbox sink them: only record them",
  expected: `one of ${outgoingModes.join(", ")}`,
  example: "sink",
  default: "send",
  parse: oneOf(outgoingModes),
};
