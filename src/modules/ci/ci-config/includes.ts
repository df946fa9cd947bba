/** The reader of `include:`, which merges files into one. */

import type { OneAtATime } from "../../../lib/one-at-a-time.ts";
import { Budget } from "./budget.ts";
import { type CiFiles, lookupsIn } from "./ci-files.ts";
import { DeepMerge, Extent } from "./extent.ts";
import { FileMatcher, type RepositoryFiles, RuleError, withAnswers } from "./files.ts";
import { includeEntry, includeInputs, includeLocation, includeRules } from "./include-entries.ts";
import { type InputSpec, inputsOf, readHeader, requireNoFaults } from "./inputs/header.ts";
import { resolveInputs } from "./inputs/input-values.ts";
import { interpolate } from "./inputs/interpolation.ts";
import { ExpansionBudget, LayeredVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Globs } from "./rules/globs.ts";
import { Patterns } from "./rules/patterns.ts";
import type { Rule } from "./rules/rules.ts";
import { firstMatchingRule } from "./selection.ts";
import { CiFileError, type Mapping } from "./values.ts";
import { fileExtent, parseDocuments } from "./yaml/yaml.ts";

/** A file that is to be read. */
interface Source {
  readonly text: string;
  /** The files that it may include. */
  readonly files: CiFiles;
  /** The place that errors name; undefined for the file of the pipeline itself. */
  readonly location?: string;
  /** Its place among `files`: no pattern includes a file into itself. */
  readonly path?: string;
  readonly inputs: Mapping;
  /** The facts that a component may ask for. */
  readonly component?: ReadonlyMap<string, string>;
}

/** Files that one may include, and these in turn. */
const includesMax = 150;
/** Characters of all of them. */
const charactersMax = 4_000_000;
const unknownFiles: RepositoryFiles = { all: undefined, changed: undefined };

/** Works what a CI file includes into it: what it says itself is above that. */
export class Includes {
  readonly #variables: Variables;
  /** The same, as they were given. */
  readonly #unexpanded: Variables;
  readonly #budget: Budget;
  readonly #room: ExpansionBudget;
  readonly #patterns: Patterns;
  readonly #globs: Globs;
  readonly #questions = new Map<RepositoryFiles, FileMatcher>();
  readonly #extent: Extent;
  readonly #merging: DeepMerge;
  readonly #work: OneAtATime;
  #count = 0;
  #characters = 0;

  /** `work`: the queue of the server's work on CI files. */
  constructor(given: Variables, predefined: Variables, work: OneAtATime, budget = new Budget()) {
    this.#budget = budget;
    this.#work = work;
    this.#room = new ExpansionBudget(budget);
    this.#patterns = new Patterns(budget);
    this.#globs = new Globs(budget);
    this.#extent = new Extent(fileExtent, budget);
    this.#merging = new DeepMerge(budget);
    this.#variables = new LayeredVariables([given], predefined, this.#room);
    this.#unexpanded = { get: (name) => given.get(name) ?? predefined.get(name) };
  }

  /** The text of the file at a path, with values for its inputs → its mapping. Throws `CiFileError`. */
  read(text: string, files: CiFiles, path = "", inputs: Mapping = {}): Promise<Mapping> {
    return this.#read({ text, files, path, inputs });
  }

  async #read(source: Source): Promise<Mapping> {
    const { text } = source;
    this.#characters += text.length;
    if (this.#characters > charactersMax) {
      throw new CiFileError("Total size of combined CI/CD configuration is too big");
    }
    const { include: wanted, ...own } = await this.#parsed(source);
    let merged: Mapping = {};
    for (const include of listOf(wanted)) {
      for (const below of await this.#included(include, source)) merged = this.#merging.merge(merged, below);
    }
    return this.#merging.merge(merged, own);
  }

  /** Errors of an included file say where it is. */
  async #parsed(source: Source): Promise<Mapping> {
    const { location } = source;
    try {
      return await this.#interpolated(source);
    } catch (error) {
      if (location === undefined || !(error instanceof CiFileError)) throw error;
      throw new CiFileError(`\`${location}\`: ${error.message}`, { cause: error });
    }
  }

  async #interpolated(source: Source): Promise<Mapping> {
    const { text, inputs: given, component = new Map() } = source;
    const documents = await this.#work.run(() => parseDocuments(text, this.#budget, this.#extent));
    if (documents.header === undefined) {
      if (Object.keys(given).length === 0) return documents.content;
      throw new CiFileError("Given inputs not defined in the `spec` section of the included configuration file");
    }
    const header = await this.#work.run(() => readHeader(documents.header ?? {}, this.#budget));
    const further = await this.#inputsIn(header.include, source);
    const own = new Map([...further, ...header.inputs].map((spec) => [spec.name, spec]));
    return this.#work.run(() => {
      const inputs = resolveInputs([...own.values()], given, this.#budget);
      const facts = new Map([...component].filter(([name]) => header.component.includes(name)));
      const context = { inputs, component: facts, variables: this.#unexpanded };
      const content = interpolate(documents.content, context, this.#budget);
      this.#extent.add(content);
      return content;
    });
  }

  /** `spec: include:` of files that have nothing but further inputs. */
  async #inputsIn(include: unknown, from: Source): Promise<InputSpec[]> {
    const found: InputSpec[] = [];
    for (const each of listOf(include)) {
      const entry = includeEntry(each, this.#variables, this.#room);
      for (const { text, location } of await this.#sourcesOf(entry, from)) {
        const { content } = await this.#work.run(() => parseDocuments(text, this.#budget, this.#extent));
        const faults: string[] = [];
        found.push(...inputsOf(content.inputs, `${location}:inputs`, this.#budget, faults));
        requireNoFaults(faults);
      }
    }
    return found;
  }

  async #included(include: unknown, from: Source): Promise<Mapping[]> {
    const entry = includeEntry(include, this.#variables, this.#room);
    if (!(await this.#isWanted(includeRules(entry, this.#budget), from.files))) return [];
    const made: Mapping[] = [];
    for (const source of await this.#sourcesOf(entry, from)) {
      const mapping = await this.#read(source);
      if (Object.keys(mapping).length === 0) {
        throw new CiFileError(`Included file \`${source.location}\` does not have valid YAML syntax!`);
      }
      made.push(mapping);
    }
    return made;
  }

  async #isWanted(rules: readonly Rule[] | undefined, files: CiFiles): Promise<boolean> {
    if (rules === undefined) return true;
    const asks = rules.some(({ changes, exists }) => changes !== undefined || exists !== undefined);
    const listed = asks ? await files.files() : unknownFiles;
    try {
      const rule = await withAnswers(lookupsIn(files), (answers) => {
        const hasAnswers = answers.comparisons.size > 0 || answers.elsewhere.size > 0;
        const questions = hasAnswers ? this.#matcher({ ...listed, ...answers }) : this.#questionsOf(listed);
        return firstMatchingRule(rules, this.#variables, { patterns: this.#patterns, files: questions });
      });
      return rule !== undefined && rule.when !== "never";
    } catch (error) {
      throw error instanceof RuleError ? new CiFileError(`include:${error.message}`) : error;
    }
  }

  async #sourcesOf(entry: Mapping, { files, path: from }: Source): Promise<Source[]> {
    const location = includeLocation(entry);
    const inputs = includeInputs(entry);
    if (location.kind === "component") return [await this.#component(location.address, files, inputs)];
    if (location.kind === "artifact") return [await this.#artifact(location.job, location.path, files, inputs)];
    const isLocal = location.kind === "local";
    const place = isLocal ? files : await this.#project(location.project, location.ref, files);
    const paths = isLocal ? await this.#pathsLike(location.path, files, from) : location.paths;
    const sources: Source[] = [];
    for (const path of paths) {
      const name = isLocal ? `Local file \`${path}\`` : `Project \`${location.project}\` file \`${path}\``;
      sources.push({ text: await this.#textOf(path, place, name), files: place, location: path, path, inputs });
    }
    return sources;
  }

  async #pathsLike(path: string, files: CiFiles, from: string | undefined): Promise<string[]> {
    if (!path.includes("*")) return [path];
    const { all = [] } = await files.files();
    // `**` reaches into folders, and `*` does not; nothing else has a meaning.
    const source = path
      .replaceAll(/[.+?^${}()|[\]\\/]/g, "\\$&")
      .replaceAll(/\*\*?/g, (stars) => (stars === "**" ? ".*?" : "[^/]*?"));
    const pattern = { source: `^${source}$`, flags: "" };
    return all.filter((each) => each !== from && this.#patterns.matches(pattern, each));
  }

  async #project(name: string, ref: string | undefined, files: CiFiles): Promise<CiFiles> {
    const found = await files.of(name, ref === "HEAD" ? undefined : ref);
    if (found === "no project") {
      const advice = "Make sure any includes in the pipeline configuration are correctly defined.";
      throw new CiFileError(`Project \`${name}\` not found or access denied! ${advice}`);
    }
    if (found === "no ref") throw new CiFileError(`Project \`${name}\` reference \`${ref ?? "HEAD"}\` does not exist!`);
    return found;
  }

  /** `host/group/project/name@version`: a template of a project on this server. */
  async #component(address: string, files: CiFiles, inputs: Mapping): Promise<Source> {
    const fault = (text: string) => new CiFileError(`Component '${address}' - ${text}`);
    const at = address.indexOf("@");
    const [path, reference] = [address.slice(0, at), address.slice(at + 1)];
    const prefix = `${hostOf(this.#variables)}/`;
    const end = path.lastIndexOf("/");
    if (at === -1 || !path.startsWith(prefix)) throw fault("the component path is not supported");
    if (end < prefix.length) throw fault("content not found");
    const name = path.slice(end + 1);
    const place = await files.of(path.slice(prefix.length, end), reference);
    if (place === "no project") throw fault("project does not exist or you don't have sufficient permissions");
    if (place === "no ref") throw fault(missingVersion(reference));
    for (const location of [`templates/${name}.yml`, `templates/${name}/template.yml`]) {
      const text = name === "" ? undefined : await place.read(location, address);
      if (text === undefined) continue;
      this.#countInclude();
      const facts = { name, sha: place.sha, version: place.tag ?? "", reference };
      return { text, files: place, location: address, inputs, component: new Map(Object.entries(facts)) };
    }
    throw fault("content not found");
  }

  async #artifact(job: string, path: string, files: CiFiles, inputs: Mapping): Promise<Source> {
    if (files.artifact === undefined) {
      throw new CiFileError("Including configs from artifacts is only allowed when triggering child pipelines");
    }
    this.#countInclude();
    const text = await files.artifact(job, path);
    if (text.trim() === "") throw new CiFileError(`File \`${path}\` is empty!`);
    return { text, files, location: path, inputs };
  }

  async #textOf(path: string, place: CiFiles, name: string): Promise<string> {
    this.#countInclude();
    const text = await place.read(path);
    if (text === undefined) throw new CiFileError(`${name} does not exist!`);
    if (text.trim() === "") throw new CiFileError(`${name} is empty!`);
    return text;
  }

  #countInclude(): void {
    this.#count += 1;
    if (this.#count > includesMax) throw new CiFileError(`Maximum of ${includesMax} nested includes are allowed!`);
  }

  /** All of them together cost no more than those of one file. */
  #questionsOf(files: RepositoryFiles): FileMatcher {
    const questions = this.#questions.get(files) ?? this.#matcher(files);
    this.#questions.set(files, questions);
    return questions;
  }

  #matcher(files: RepositoryFiles): FileMatcher {
    return new FileMatcher(files, this.#globs);
  }
}

function listOf(include: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(include) ? include : [include];
  return list.filter((each) => each !== undefined && each !== null);
}

/** The host by which components of this server are named. */
function hostOf(variables: Variables): string {
  const url = variables.get("CI_SERVER_URL") ?? "";
  return URL.canParse(url) ? new URL(url).host : "";
}

/** There is no catalog, whose projects alone have such versions. */
function missingVersion(reference: string): string {
  const advice = "Use a tag, branch, or commit SHA instead.";
  if (reference === "~latest") {
    return `The ~latest version reference is not supported for non-catalog resources. ${advice}`;
  }
  if (/^\d+(?:\.\d+)?$/.test(reference)) {
    return `The partial semantic version reference is not supported for non-catalog resources. ${advice}`;
  }
  return "content not found";
}
