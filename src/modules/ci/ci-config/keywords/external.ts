/** The entries of keywords for other services: releases, Pages, tokens and secrets. */

import { isMapping } from "../values.ts";
import {
  aBoolean,
  aList,
  alphanumeric,
  aMapping,
  aText,
  duration,
  isPresent,
  knownValue,
  mappingOrBoolean,
  mappings,
  oneOf,
  present,
  textOrTexts,
} from "./checks.ts";
import { exactlyOneKey, knownKeys, requiredKeys } from "./checks-keys.ts";
import { type Check, type Entry, key, needed, ruleIf, whole } from "./entry.ts";

const address: Check = {
  faults: (value) => (typeof value === "string" && /^(?:https?|ftp):\/\/\S+$/.test(value) ? [] : [addressFault]),
  schema: { type: "string" },
};
const addressFault = "is blocked: only allowed schemes are http, https, ftp";

const assets: Entry = {
  description: "Files of the release.",
  rules: [whole(aMapping, knownKeys(["links"])), needed("links", mappings, present)],
  keys: {
    links: {
      description: "Addresses of files.",
      rules: [whole(aList, present)],
      items: {
        name: "link",
        entry: {
          rules: [
            whole(knownKeys(["name", "url", "filepath", "link_type"])),
            needed("name", aText, present),
            needed("url", present, address),
          ],
        },
      },
    },
  },
};

const dateTime: Check = {
  faults: (value) =>
    typeof value === "string" && /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
      ? []
      : ["must be a valid datetime"],
  schema: { type: "string" },
};

/** Names of refs that git takes, as far as a file can say. */
const ref: Check = {
  faults: (value) =>
    typeof value === "string" && !/(?:^[-/]|\.\.|\/\/|@\{|[\s~^:?*[\\]|\.lock$|[/.]$)/.test(value)
      ? []
      : ["must be a valid ref"],
  schema: { type: "string" },
};

export const release: Entry = {
  description: "The release that the job makes.",
  rules: [
    whole(
      aMapping,
      knownKeys(["tag_name", "tag_message", "name", "description", "ref", "released_at", "milestones", "assets"]),
    ),
    needed("tag_name", aText, present),
    ruleIf(({ tag_message: text }) => isPresent(text), key("tag_message", aText)),
    needed("description", aText, present),
    ruleIf(({ milestones }) => isPresent(milestones), key("milestones", textOrTexts)),
    key("released_at", dateTime),
    key("ref", ref),
  ],
  keys: { assets },
};

export const pages: Entry = {
  description: "Whether and how the artifacts become a site of Pages.",
  rules: [
    whole(mappingOrBoolean, knownKeys(["path_prefix", "expire_in", "publish"])),
    key("path_prefix", aText),
    key("expire_in", duration({ hasNever: true })),
    key("publish", aText),
  ],
};

export const idTokens: Entry = {
  description: "Tokens by the names of their variables.",
  rules: [whole(aMapping)],
  values: { rules: [whole(requiredKeys("aud"), knownKeys(["aud"])), needed("aud", textOrTexts)] },
};

const providers = [
  ...["vault", "azure_key_vault", "gcp_secret_manager", "akeyless", "gitlab_secrets_manager", "aws_secrets_manager"],
];

export const secrets: Entry = {
  description: "Secrets of other services, by the names of their variables.",
  rules: [whole(aMapping)],
  values: {
    rules: [
      whole(aMapping, knownKeys([...providers, "file", "token"]), exactlyOneKey(...providers)),
      key("file", aBoolean),
      key("token", aText),
    ],
  },
};

export const identity: Entry = {
  description: "The service that the job signs in at.",
  rules: [whole(oneOf(["google_cloud"], "should be one of: google_cloud"))],
};

const inputTypes = ["array", "boolean", "number", "string"];
const optionsMax = 50;

const options: Check = {
  faults(value) {
    if (!Array.isArray(value)) return [];
    return [
      ...(value.length > optionsMax ? [`cannot define more than ${optionsMax} options`] : []),
      ...(value.some((item) => item === null) ? ["options array cannot contain null values"] : []),
    ];
  },
  schema: {},
};

export const inputs: Entry = {
  description: "Values that whoever starts the job may choose.",
  rules: [whole(aMapping)],
  values: {
    attributePrefix: "input",
    rules: [
      whole(knownKeys(["default", "description", "options", "regex", "type"])),
      key("description", alphanumeric),
      key("regex", aText),
      key("type", knownValue(inputTypes)),
      key("options", aList),
      { ...whole(options), subjectOf: (value) => (isMapping(value) ? value.options : undefined) },
    ],
  },
};
