/** The entry of `cache:`. */

import { artifactWhens, oneOfWords } from "./artifacts.ts";
import { aBoolean, aMapping, aText, atMost, cacheName, isPresent, mappingOrList, textLike, texts } from "./checks.ts";
import { exactlyOneKey, knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, key, ruleIf, whole } from "./entry.ts";

const cachesMax = 4;
const keyFilesMax = 2;
const fallbackKeysMax = 5;

const fewFiles: Check = {
  faults(value) {
    if (!Array.isArray(value)) return [];
    if (value.length === 0) return ["requires at least 1 item"];
    return value.length > keyFilesMax ? [`has too many items (maximum is ${keyFilesMax})`] : [];
  },
  schema: { minItems: 1, maxItems: keyFilesMax },
};

const keyFiles: Entry = {
  description: "Files whose last change names the cache.",
  rules: [whole(texts, fewFiles)],
};

const cacheKey: Entry = {
  description: "The name of the cache: a text, or files whose last change names it.",
  variants: [
    { kind: "text", entry: { rules: [whole(cacheName)] } },
    {
      kind: "mapping",
      entry: {
        rules: [whole(knownKeys(["files", "files_commits", "prefix"]), exactlyOneKey("files", "files_commits"))],
        keys: {
          files: keyFiles,
          files_commits: keyFiles,
          prefix: { description: "The beginning of the name.", rules: [whole(cacheName)] },
        },
      },
    },
  ],
  otherwise: "should be a hash, a string or a symbol",
};

const boolean: Entry = { rules: [whole(aBoolean)] };

const cache: Entry = {
  rules: [
    whole(aMapping, knownKeys(["key", "untracked", "paths", "when", "policy", "unprotect", "fallback_keys"])),
    ruleIf(
      ({ policy }) => isPresent(policy),
      key(
        "policy",
        aText,
        textLike(/pull-push|push|pull|\$\w/, "should be a variable or one of: pull-push, push, pull"),
      ),
    ),
    key("when", aText, oneOfWords(artifactWhens)),
    // Sic: the platform's sentence.
    key("fallback_keys", atMost(fallbackKeysMax, `has to many entries (maximum ${fallbackKeysMax})`)),
  ],
  keys: {
    key: cacheKey,
    unprotect: { ...boolean, description: "Whether protected and other branches share the cache." },
    untracked: { ...boolean, description: "Whether files that git does not track are cached." },
    paths: { description: "Paths and patterns of paths.", rules: [whole(texts)] },
    fallback_keys: { description: "Caches to take when there is none of the key.", rules: [whole(texts)] },
  },
};

const fewCaches: Check = {
  faults: (value) =>
    Array.isArray(value) && value.length > cachesMax ? [`no more than ${cachesMax} caches can be created`] : [],
  schema: { maxItems: cachesMax },
};

export const caches: Entry = {
  description: "Files that later jobs of the same cache find again.",
  ownName: "caches",
  rules: [whole(mappingOrList, fewCaches)],
  items: { name: "cache", entry: cache },
};
