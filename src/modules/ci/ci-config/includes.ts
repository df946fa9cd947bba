/** The reader of `include:`, which merges files into one. */

import { Budget, ciFileWork } from "./budget.ts";
import { DeepMerge, Extent } from "./extent.ts";
import { FileMatcher, type RepositoryFiles } from "./files.ts";
import { ExpansionBudget, expandVariables, LayeredVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Globs } from "./rules/globs.ts";
import { Patterns } from "./rules/patterns.ts";
import { type Rule, rulesOf } from "./rules/rules.ts";
import { firstMatchingRule } from "./selection.ts";
import { CiFileError, isMapping, type Mapping, requireKnownKeys, textsOf } from "./values.ts";
import { fileExtent, parseYaml } from "./yaml/yaml.ts";

/** The source of included files: one commit of one project. */
export interface CiFiles {
  /** The text of a file; undefined when it is not there. */
  read(path: string): Promise<string | undefined>;
  /** The files of the repository, for patterns of paths. */
  files(): Promise<RepositoryFiles>;
  /** The files of another project, of its default branch unless said; or the reason why they cannot be read. */
  of(project: string, ref: string | undefined): Promise<CiFiles | string>;
}

/** Files that one may include, and these in turn. */
const includesMax = 150;
/** Characters of all of them. */
const charactersMax = 4_000_000;
const unknownFiles: RepositoryFiles = { all: undefined, changed: undefined };
const includeKeys = new Set(["local", "file", "project", "ref", "rules", "inputs"]);
/** Kinds of includes that are not in a repository of this server. */
const elsewhere = ["remote", "template", "component", "artifact"] as const;

/** Works what a CI file includes into it: what it says itself is above that. */
export class Includes {
  readonly #variables: Variables;
  readonly #budget: Budget;
  readonly #room: ExpansionBudget;
  readonly #patterns: Patterns;
  readonly #globs: Globs;
  readonly #questions = new Map<RepositoryFiles, FileMatcher>();
  readonly #extent: Extent;
  readonly #merging: DeepMerge;
  #count = 0;
  #characters = 0;

  constructor(given: Variables, predefined: Variables, budget = new Budget()) {
    this.#budget = budget;
    this.#room = new ExpansionBudget(budget);
    this.#patterns = new Patterns(budget);
    this.#globs = new Globs(budget);
    this.#extent = new Extent(fileExtent, budget);
    this.#merging = new DeepMerge(budget);
    this.#variables = new LayeredVariables([given], predefined, this.#room);
  }

  /** The text of a file → its mapping. Throws `CiFileError`. */
  async read(text: string, files: CiFiles, location?: string): Promise<Mapping> {
    this.#characters += text.length;
    if (this.#characters > charactersMax)
      throw new CiFileError("Total size of combined CI/CD configuration is too big");
    const own = await ciFileWork.run(() => this.#parsed(text, location));
    let merged: Mapping = {};
    const wanted = own.include ?? [];
    for (const include of Array.isArray(wanted) ? wanted.flat(10) : [wanted]) {
      for (const below of await this.#included(include, files)) merged = this.#merging.merge(merged, below);
    }
    const { include: _, ...rest } = own;
    return this.#merging.merge(merged, rest);
  }

  /** Throws `CiFileError`, which names an included file. */
  #parsed(text: string, location: string | undefined): Mapping {
    try {
      return parseYaml(text, this.#budget, this.#extent);
    } catch (error) {
      if (location === undefined || !(error instanceof CiFileError)) throw error;
      throw new CiFileError(`\`${location}\`: ${error.message}`, { cause: error });
    }
  }

  async #included(include: unknown, files: CiFiles): Promise<Mapping[]> {
    const entry = typeof include === "string" ? plainEntry(include) : include;
    if (!isMapping(entry)) throw new CiFileError("include config should be an array of hashes or strings");
    const other = elsewhere.find((key) => entry[key] !== undefined);
    if (other !== undefined) throw new CiFileError(`include \`${other}\` is not supported: only files of projects are`);
    requireKnownKeys(entry, includeKeys, "include");
    if (!(await this.#isWanted(rulesOf(entry.rules, "include", this.#budget), files))) return [];
    const from = await this.#placeOf(entry, files);
    const made: Mapping[] = [];
    for (const path of await this.#pathsOf(entry, from)) made.push(await this.#one(path, from, entry));
    return made;
  }

  async #isWanted(rules: readonly Rule[] | undefined, files: CiFiles): Promise<boolean> {
    if (rules === undefined) return true;
    const asks = rules.some(({ changes, exists }) => changes !== undefined || exists !== undefined);
    const questions = this.#questionsOf(asks ? await files.files() : unknownFiles);
    const rule = firstMatchingRule(rules, this.#variables, { patterns: this.#patterns, files: questions });
    return rule !== undefined && rule.when !== "never";
  }

  async #placeOf({ project, ref, local }: Mapping, files: CiFiles): Promise<CiFiles> {
    if (project === undefined || local !== undefined) return files;
    if (typeof project !== "string") throw new CiFileError("include:project config should be a string");
    const name = this.#expanded(project);
    const found = await files.of(name, typeof ref === "string" ? this.#expanded(ref) : undefined);
    if (typeof found === "string") throw new CiFileError(found);
    return found;
  }

  async #pathsOf({ local, file }: Mapping, from: CiFiles): Promise<string[]> {
    const given = textsOf(local ?? file, "include").map((path) => this.#expanded(path).replace(/^\/+/, ""));
    if (given.length === 0) {
      throw new CiFileError("include does not have a valid subkey. Valid subkeys are: `local`, `project`");
    }
    const found: string[] = [];
    for (const path of given) {
      if (!/\.ya?ml$/i.test(path)) throw new CiFileError(`Included file \`${path}\` does not have YAML extension!`);
      if (local === undefined || !path.includes("*")) found.push(path);
      else found.push(...(this.#questionsOf(await from.files()).like(path) ?? []));
    }
    return found;
  }

  async #one(path: string, from: CiFiles, { project, local }: Mapping): Promise<Mapping> {
    this.#count += 1;
    if (this.#count > includesMax) throw new CiFileError(`Maximum of ${includesMax} nested includes are allowed!`);
    const isElsewhere = typeof project === "string" && local === undefined;
    const name = isElsewhere ? `Project \`${project}\` file \`${path}\`` : `Local file \`${path}\``;
    const text = await from.read(path);
    if (text === undefined) throw new CiFileError(`${name} does not exist!`);
    if (text.trim() === "") throw new CiFileError(`${name} is empty!`);
    return this.read(text, from, path);
  }

  /** All of them together cost no more than those of one file. */
  #questionsOf(files: RepositoryFiles): FileMatcher {
    const questions = this.#questions.get(files) ?? new FileMatcher(files, this.#globs);
    this.#questions.set(files, questions);
    return questions;
  }

  #expanded(text: string): string {
    return expandVariables(text, this.#variables, this.#room);
  }
}

function plainEntry(text: string): Mapping {
  return /^https?:\/\//i.test(text) ? { remote: text } : { local: text };
}
