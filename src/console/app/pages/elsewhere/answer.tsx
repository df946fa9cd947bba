import { send } from "../../api/client.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { basePath } from "../../state/base.ts";
import { place } from "../../state/router.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The names for path segments, in singular and plural. */
const kinds: Readonly<Record<string, readonly [one: string, several: string]>> = {
  commits: ["Commit", "Commits"],
  epics: ["Epic", "Epics"],
  issues: ["Issue", "Issues"],
  jobs: ["Job", "Jobs"],
  milestones: ["Milestone", "Milestones"],
  packages: ["Package", "Packages"],
  repositories: ["Image repository", "Image repositories"],
  snippets: ["Snippet", "Snippets"],
  tags: ["Tag", "Tags"],
};

/** The page for resources without their own page: it shows the API call and its answer. */
export default function AnswerPage() {
  const call = place.value.query.get("call") ?? "";
  const address = `${basePath}/api/v4${call}`;
  const { data, refusal } = useAnswer(call, async () => {
    if (!call.startsWith("/")) throw new Error("The address names no call of the API");
    return (await (await send(new URL(address, location.origin).href)).json()) as unknown;
  });
  return (
    <>
      <div class="page-head">
        <h1>
          <bdi>{titleOf(call, data)}</bdi>
        </h1>
        <div class="actions">
          <ApiButton call={{ method: "GET", address }} />
        </div>
      </div>
      <p>
        The console has no page of its own for it. This is what the API answers to <code class="long">GET {call}</code>.
      </p>
      <Refusal text={refusal} />
      {data === undefined && refusal === "" && <p role="status">Loading…</p>}
      {Array.isArray(data) ? <Entries of={data as readonly Fields[]} /> : isFields(data) && <Entry of={data} />}
    </>
  );
}

function titleOf(call: string, data: unknown): string {
  const word =
    call
      .replace(/\?.*/, "")
      .split("/")
      .findLast((each) => Object.hasOwn(kinds, each)) ?? "";
  const [one, several] = kinds[word] ?? ["Answer of the API", "Answer of the API"];
  if (!isFields(data)) return several;
  const name = nameOf(data);
  return name === "" ? one : `${one}: ${name}`;
}

function Entry({ of: fields }: { readonly of: Fields }) {
  const shown = Object.entries(fields).filter(
    ([, value]) => value !== null && typeof value !== "object" && value !== "",
  );
  return (
    <>
      <Facts of={shown.map(([name, value]) => [name.replaceAll("_", " "), String(value)])} />
      <textarea class="code" rows={18} readOnly aria-label="Answer" value={JSON.stringify(fields, null, 2)} />
    </>
  );
}

function Entries({ of: entries }: { readonly of: readonly Fields[] }) {
  if (entries.length === 0) {
    return (
      <p class="empty">
        There is none yet. <a href={`${basePath}/-/api`}>The API reference</a> says how one is made.
      </p>
    );
  }
  return (
    <ul>
      {entries.map((entry, index) => {
        const url = typeof entry.web_url === "string" ? URL.parse(entry.web_url) : null;
        const name = nameOf(entry) || String(entry.id ?? index + 1);
        return (
          <li key={name}>
            {/* The server may use another origin than this page. */}
            {url === null ? <bdi>{name}</bdi> : <a href={url.pathname}>{name}</a>}
          </li>
        );
      })}
    </ul>
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf({ title, name, path }: Fields): string {
  const found = [title, name, path].find((each) => typeof each === "string");
  return typeof found === "string" ? found : "";
}
