// Prints the calls of each method of gitbeaker, as {resource: {method: ["GET /path", …]}}. Nothing is sent.
import * as resources from "@gitbeaker/core";

/** Methods that need an option get the first of these that they accept. */
const optionSets = [
  {},
  { projectId: "x", distribution: "x" },
  { groupId: "x", distribution: "x" },
  { keyId: "x" },
  { environmentId: "x", starting_at: "x", description: "x" },
  { jobId: "x" },
  { runnerId: "x" },
  { newName: "x" },
  { email: "x" },
];
const blob = new Blob(["x"]);
const file = { content: blob, filename: "x" };

/**
 * Arguments for about `count` names: options without a default are counted, arguments after a default are not. Some methods
 * take a file as the first or the last.
 */
const argumentSets = (count) =>
  [count, Math.max(count - 1, 0), count + 1].flatMap((length) => {
    const texts = Array.from({ length }, () => "x");
    if (length === 0) return [texts];
    return [texts, texts.with(-1, file), texts.with(-1, blob), texts.with(0, file)];
  });

const address = "http://x";
const api = `${address}/api/v4`;

let calls = [];
const answer = { body: [], headers: {}, status: 200 };
const verbs = ["get", "post", "put", "patch", "delete"];

/** Notes each request below `base`, which some resources share. */
function requesterBelow(base) {
  const send = (verb) => async (path) => {
    calls.push(`${verb.toUpperCase()} ${base()}/${path}`);
    return answer;
  };
  return Object.fromEntries(verbs.map((verb) => [verb, send(verb)]));
}

/** A resource with one credential; its requests begin with its own part of the path. */
function instanceOf(Resource, credential) {
  let instance;
  const requester = requesterBelow(() => instance.url.slice(api.length).replace(/\/$/, ""));
  instance = new Resource({ host: address, ...credential, requesterFn: () => requester });
  return instance;
}

/** The names of the methods of a class and of the classes that it extends. */
function methodNames({ prototype }) {
  const names = [];
  for (let at = prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Object.getOwnPropertyNames(at).filter((name) => typeof at[name] === "function"));
  }
  return [...new Set(names)].filter((name) => name !== "constructor");
}

/** What a method sends; nothing when no arguments make it send anything. */
async function callsOf(instances, name) {
  const { length } = instances[0][name];
  for (const given of argumentSets(length)) {
    for (const instance of instances) {
      for (const options of optionSets) {
        calls = [];
        try {
          await instance[name](...given, options);
        } catch {
          // Without a call, the method refused these arguments. With one, it could not read the answer.
        }
        if (calls.length > 0) return [...new Set(calls)];
      }
    }
  }
  return [];
}

const found = {};
for (const [name, Resource] of Object.entries(resources)) {
  if (typeof Resource !== "function" || !Resource.prototype || name === "Gitlab") continue;
  found[name] = {};
  const instances = [{ token: "x" }, { jobToken: "x" }].map((credential) => instanceOf(Resource, credential));
  for (const method of methodNames(Resource)) found[name][method] = await callsOf(instances, method);
}
console.log(JSON.stringify(found));
