import { useState } from "preact/hooks";
import { client } from "../../../api/client.ts";
import type { ItemOf } from "../../../api/paths.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Facts } from "../../../parts/facts.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../../parts/filters.tsx";
import { KeysetList } from "../../../parts/keyset-list.tsx";
import { bytesText, Figure, Moment } from "../../../parts/moment.tsx";
import { place } from "../../../state/router.ts";
import { attempt, showDone } from "../../../state/toasts.ts";

type Asked = ItemOf<"/-/sandbox/requests">;

const methods = { "": "all", GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" } as const;

/** The recorded requests of the sandbox with their answers, newest first. */
export function Requests({ version, onChange }: { readonly version: number; readonly onChange: () => void }) {
  const [shown, setShown] = useState<Asked>();
  const method = choiceOf("method", methods);
  const contains = place.value.query.get("search") ?? "";
  const forget = () =>
    attempt(async () => {
      await client.DELETE("/-/sandbox/requests");
      showDone("The requests are forgotten");
      onChange();
    });
  return (
    <>
      <div class="filters">
        <ChoiceField name="method" label="Method" choices={methods} />
        <SearchField />
        <button type="button" onClick={onChange}>
          Look again
        </button>
        <button type="button" class="danger" onClick={() => void forget()}>
          Forget all
        </button>
      </div>
      <KeysetList
        label="Requests"
        path="/-/sandbox/requests"
        query={{ per_page: 50, ...(method === "" ? {} : { method }), ...(contains === "" ? {} : { contains }) }}
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            No request was kept: those of the console and of <code>/-/sandbox</code> are not. This one is:{" "}
            <code>outpost api GET /version</code>
          </p>
        }
        columns={[
          { head: "Time", cell: ({ started_at }) => <Moment at={started_at} /> },
          { head: "Status", cell: ({ status }) => <span class={status >= 400 ? "tag warning" : "tag"}>{status}</span> },
          { head: "Method", cell: (asked) => asked.method },
          { head: "Address", cell: ({ url }) => <span class="long">{withoutOrigin(url)}</span> },
          { head: "User", cell: ({ user }) => <bdi>{user ?? ""}</bdi> },
          { head: "Time taken", cell: ({ duration_ms }) => <Figure of={duration_ms} /> },
          {
            head: "Bodies",
            cell: (asked) => (
              <button type="button" class="quiet" onClick={() => setShown(asked)}>
                Open
              </button>
            ),
          },
        ]}
      />
      {shown !== undefined && (
        <Dialog title={`${shown.method} ${withoutOrigin(shown.url)}`} onClose={() => setShown(undefined)}>
          <Facts
            of={[
              ["Status", shown.status],
              ["Route", shown.route ?? "no operation has it"],
              ["User", shown.user ?? "nobody"],
              ["Request id", shown.request_id],
            ]}
          />
          <Side title="Request" message={shown.request} />
          <Side title="Answer" message={shown.response} />
        </Dialog>
      )}
    </>
  );
}

function Side({ title, message }: { readonly title: string; readonly message: Asked["request"] }) {
  const head = message.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  const size = message.size === null ? "" : ` (${bytesText(message.size)})`;
  const body = message.body === null ? "" : `\n\n${message.body}${message.is_cut ? "…" : ""}`;
  return (
    <label class="field">
      {title}
      {size}
      <textarea class="code" rows={10} readOnly value={`${head}${body}`} />
    </label>
  );
}

function withoutOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
